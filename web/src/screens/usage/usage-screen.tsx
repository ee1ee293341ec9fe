import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useAccountId } from '../../api/chosen-account.tsx'
import { usageQuery, type Usage } from '../../api/usage.ts'
import { useServiceNow } from '../../api/use-service-now.ts'
import { utcDay } from '../../format/utc-days.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { ByKey } from './by-key.tsx'
import { ByModel } from './by-model.tsx'
import { UsageChart } from './usage-chart.tsx'
import { UsageFilters } from './usage-filters.tsx'
import { findDays, findRangeProblem } from './usage-range.ts'
import type { UsageSearch } from './usage-search.ts'
import { usageWords } from './words.ts'

const route = getRouteApi('/console/usage')

export function UsageScreen() {
  const words = useWords(usageWords)
  const accountId = useAccountId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const days = findDays(search, utcDay(new Date(useServiceNow())))
  const usage = useQuery({
    ...usageQuery(accountId, { ...days, keyId: search.key }),
    enabled: findRangeProblem(days) === undefined,
  })
  const choose = (change: UsageSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <Page title={words.title} intro={words.intro}>
      <Card>
        <UsageFilters search={search} days={days} onChoose={choose} />
      </Card>
      {/* What is there stays while other figures come, and is seen to be old. */}
      <div
        aria-busy={usage.isPlaceholderData}
        className={`flex flex-col gap-6 transition-opacity ${usage.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        <Loaded query={usage} lines={8}>
          {(data) => <Figures usage={data} search={search} onChoose={choose} />}
        </Loaded>
      </div>
    </Page>
  )
}

function Figures({
  usage,
  search,
  onChoose,
}: {
  readonly usage: Usage
  readonly search: UsageSearch
  readonly onChoose: (change: UsageSearch) => void
}) {
  const words = useWords(usageWords)
  if (usage.days.length === 0) {
    return (
      <EmptyState title={words.empty}>
        <p className="text-soft">{words.emptyText}</p>
        <ButtonLink to="/console/start">{words.firstCall}</ButtonLink>
      </EmptyState>
    )
  }
  return (
    <>
      <UsageChart
        usage={usage}
        measure={search.show ?? 'cost'}
        onShow={(show) => onChoose({ show })}
      />
      <ByModel usage={usage} />
      <ByKey keys={usage.keys} onChoose={(key) => onChoose({ key })} />
    </>
  )
}
