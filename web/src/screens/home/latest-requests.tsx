import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAccountId } from '../../api/chosen-account.tsx'
import { call, type ReplyTo } from '../../api/client.ts'
import { FOLLOWS_STANDING } from '../../api/standing.ts'
import { writeCount, writeEuros } from '../../format/figures.ts'
import { writeMoment } from '../../format/times.ts'
import { DataTable, type Column } from '../../parts/data-table.tsx'
import { Card } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { homeWords } from './words.ts'

type Receipt = ReplyTo<'get /console/api/accounts/{account_id}/requests'>['data'][number]

const SHOWN = '5'

function latestQuery(accountId: string) {
  return queryOptions({
    queryKey: ['requests', accountId, 'latest'],
    queryFn: ({ signal }) => {
      const given = { params: { account_id: accountId }, query: { limit: SHOWN } }
      return call('get /console/api/accounts/{account_id}/requests', given, signal)
    },
    meta: FOLLOWS_STANDING,
  })
}

export function LatestRequests() {
  const words = useWords(homeWords)
  const latest = useQuery(latestQuery(useAccountId()))
  const columns = useColumns()
  return (
    <Card
      title={words.latest}
      aside={
        <Link to="/console/requests" className="text-accent underline underline-offset-4">
          {words.all}
        </Link>
      }
    >
      <Loaded query={latest} lines={6}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title={words.noRequests} />
          ) : (
            <DataTable
              caption={words.latest}
              columns={columns}
              rows={data}
              keyOf={(receipt) => receipt.request_id}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function useColumns(): readonly Column<Receipt>[] {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const count = (figure: number): string => writeCount(figure, locale)
  return [
    {
      title: words.when,
      cell: (receipt) => (
        <span className="whitespace-nowrap">{writeMoment(receipt.created_at, locale)}</span>
      ),
    },
    { title: words.model, cell: (receipt) => receipt.brand },
    {
      title: words.tokensInOut,
      isFigure: true,
      cell: (receipt) => `${count(receipt.prompt_tokens)} → ${count(receipt.completion_tokens)}`,
    },
    {
      title: words.cost,
      isFigure: true,
      cell: (receipt) => writeEuros(receipt.cost_eur, locale),
    },
    {
      title: words.ended,
      cell: ({ ended }) => (
        <span className={`whitespace-nowrap ${ended === 'completed' ? '' : 'text-warn'}`}>
          {words.endings[ended]}
        </span>
      ),
    },
  ]
}
