import { Button, ButtonLink } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { RequestTable } from './request-table.tsx'
import type { Receipt } from './requests-query.ts'
import { requestsWords } from './words.ts'

/** What was found so far. A page that found nothing may have older ones behind it. */
export function RequestList({
  rows,
  isFiltered,
  pages,
  onClear,
}: {
  readonly rows: readonly Receipt[]
  readonly isFiltered: boolean
  readonly pages: Parameters<typeof MoreButton>[0]['pages']
  readonly onClear: () => void
}) {
  const words = useWords(requestsWords)
  if (rows.length > 0) {
    return (
      <div className="flex flex-col gap-4">
        <RequestTable rows={rows} />
        <MoreButton pages={pages} />
      </div>
    )
  }
  if (pages.hasNextPage) {
    return (
      <EmptyState title={words.noneYet}>
        <p className="text-soft">{words.noneYetText}</p>
        <MoreButton pages={pages} label={words.further} />
      </EmptyState>
    )
  }
  if (isFiltered) {
    return (
      <EmptyState title={words.noneFits}>
        <p className="text-soft">{words.noneFitsText}</p>
        <Button kind="second" onClick={onClear}>
          {words.clear}
        </Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={words.empty}>
      <p className="text-soft">{words.emptyText}</p>
      <ButtonLink to="/console/start">{words.firstCall}</ButtonLink>
    </EmptyState>
  )
}
