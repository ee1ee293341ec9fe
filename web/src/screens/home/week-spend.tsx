import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAccountId } from '../../api/chosen-account.tsx'
import { call } from '../../api/client.ts'
import { FOLLOWS_STANDING } from '../../api/standing.ts'
import { writeEuros } from '../../format/figures.ts'
import { writeDay } from '../../format/times.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Figure } from '../../parts/figure.tsx'
import { Card } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import { WeekBars } from './week-bars.tsx'
import { spentByDay, weekUntil, type SpentDay } from './week-of.ts'
import { homeWords } from './words.ts'

function weekQuery(accountId: string, nowMs: number) {
  const week = weekUntil(nowMs)
  return queryOptions({
    queryKey: ['usage', accountId, 'week', week.to],
    queryFn: ({ signal }) => {
      const given = { params: { account_id: accountId }, query: week }
      return call('get /console/api/accounts/{account_id}/usage', given, signal)
    },
    meta: FOLLOWS_STANDING,
  })
}

export function WeekSpend({ nowMs }: { readonly nowMs: number }) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  const week = useQuery(weekQuery(useAccountId(), nowMs))
  return (
    <Card
      title={words.week}
      aside={
        <Link to="/console/usage" className="text-accent underline underline-offset-4">
          {words.usage}
        </Link>
      }
    >
      <Loaded query={week} lines={6}>
        {(usage) =>
          usage.totals.requests === 0 ? (
            <p className="text-soft">{words.weekEmpty}</p>
          ) : (
            <div className="flex flex-col gap-4">
              <dl>
                <Figure name={words.weekTotal} value={writeEuros(usage.totals.cost_eur, locale)} />
              </dl>
              <WeekBars days={spentByDay(usage)} total={usage.totals.cost_eur} />
              <WeekTable days={spentByDay(usage)} />
            </div>
          )
        }
      </Loaded>
    </Card>
  )
}

function WeekTable({ days }: { readonly days: readonly SpentDay[] }) {
  const words = useWords(homeWords)
  const { locale } = useSpeech()
  return (
    <details>
      <summary className="min-h-6 text-sm text-soft">{words.asTable}</summary>
      <DataTable
        caption={words.week}
        rows={days}
        keyOf={({ day }) => day}
        columns={[
          { title: words.day, cell: ({ day }) => writeDay(day, locale) },
          {
            title: words.cost,
            isFigure: true,
            cell: ({ costEur }) => writeEuros(costEur, locale),
          },
        ]}
      />
    </details>
  )
}
