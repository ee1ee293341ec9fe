import { useInfiniteQuery } from '@tanstack/react-query'
import { useAccountId } from '../../api/chosen-account.tsx'
import { ActivityLink } from '../../parts/activity-link.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { downloadMovements, movementsQuery } from './movements.ts'
import { MovementTable } from './movement-table.tsx'
import { balanceWords } from './words.ts'

/** What came in and went out, as the books have it. */
export function Statement() {
  const words = useWords(balanceWords)
  const accountId = useAccountId()
  const movements = useInfiniteQuery(movementsQuery(accountId))
  return (
    <Card title={words.statement} aside={<ActivityLink kind="money" />}>
      <Loaded query={movements} lines={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) {
            return (
              <EmptyState title={words.noMovements}>
                <p className="text-soft">{words.noMovementsText}</p>
              </EmptyState>
            )
          }
          return (
            <div className="flex flex-col gap-4">
              <p className="max-w-prose text-sm text-soft">{words.statementText}</p>
              <MovementTable rows={rows} />
              <div className="flex flex-wrap justify-between gap-3">
                <MoreButton pages={movements} />
                <DownloadButton
                  label={words.download}
                  fileName={`statement-${accountId}.csv`}
                  write={() => downloadMovements(accountId)}
                />
              </div>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}
