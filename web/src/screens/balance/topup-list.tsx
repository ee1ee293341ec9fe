import { useInfiniteQuery } from '@tanstack/react-query'
import { useAccountId } from '../../api/chosen-account.tsx'
import { useSettings } from '../../api/settings.ts'
import { writeEuros } from '../../format/figures.ts'
import { writeMoment } from '../../format/times.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { TopupPapers } from './topup-papers.tsx'
import { TopupState } from './topup-state.tsx'
import { topupsQuery, type Topup } from './topups.ts'
import { balanceWords } from './words.ts'

/** Each attempt to pay in, with its papers. Nothing at all where nobody takes payments. */
export function TopupList() {
  const { data: settings } = useSettings()
  return settings?.payments ? <Topups /> : null
}

function Topups() {
  const words = useWords(balanceWords)
  const accountId = useAccountId()
  const topups = useInfiniteQuery(topupsQuery(accountId))
  return (
    <Card title={words.topups}>
      <Loaded query={topups} lines={4}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data)
          if (rows.length === 0) {
            return (
              <EmptyState title={words.noTopups}>
                <p className="text-soft">{words.noTopupsText}</p>
              </EmptyState>
            )
          }
          return (
            <div className="flex flex-col gap-4">
              <Table rows={rows} />
              <MoreButton pages={topups} />
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

function Table({ rows }: { readonly rows: readonly Topup[] }) {
  const words = useWords(balanceWords)
  const { locale } = useSpeech()
  return (
    <DataTable
      caption={words.topups}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: words.when,
          cell: (topup) => (
            <span className="whitespace-nowrap">{writeMoment(topup.created_at, locale)}</span>
          ),
        },
        {
          title: words.amount,
          isFigure: true,
          cell: (topup) => writeEuros(topup.amount_eur, locale),
        },
        { title: words.state, cell: (topup) => <TopupState topup={topup} /> },
        { title: words.papers, cell: (topup) => <TopupPapers topup={topup} /> },
      ]}
    />
  )
}
