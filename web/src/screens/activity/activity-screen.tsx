import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useAccountId } from '../../api/chosen-account.tsx'
import { useMay } from '../../api/rights.ts'
import { Button } from '../../parts/button.tsx'
import { MoreButton } from '../../parts/more-button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { ActivityFilterFields } from './activity-filter-fields.tsx'
import { activityQuery } from './activity-query.ts'
import type { ActivitySearch } from './activity-search.ts'
import { ActivityTable } from './activity-table.tsx'
import { activityWords } from './words.ts'

const route = getRouteApi('/console/activity')

/** Who did what to the account, and to how its reader signs in. */
export function ActivityScreen() {
  const words = useWords(activityWords)
  const accountId = useAccountId()
  const may = useMay()
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const isBackwards = (filters.from ?? '') > (filters.to ?? '9999')
  const entries = useInfiniteQuery({
    ...activityQuery(accountId, filters),
    enabled: !isBackwards,
  })
  const go = (change: ActivitySearch): void =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Page title={words.title} intro={may('see_activity') ? words.intro : words.introOfOwn}>
      <Card>
        <ActivityFilterFields filters={filters} isBackwards={isBackwards} onChoose={go} />
      </Card>
      <Card>
        <Loaded query={entries} lines={10}>
          {({ pages }) => {
            const rows = pages.flatMap(({ data }) => data)
            if (rows.length === 0) {
              return <NoEntries onClear={() => void navigate({ search: {}, replace: true })} />
            }
            return (
              <div className="flex flex-col gap-4">
                <ActivityTable rows={rows} />
                <MoreButton pages={entries} />
              </div>
            )
          }}
        </Loaded>
      </Card>
    </Page>
  )
}

/** Who reads has signed in: where there is nothing, it was filtered away. */
function NoEntries({ onClear }: { readonly onClear: () => void }) {
  const words = useWords(activityWords)
  return (
    <EmptyState title={words.none}>
      <p className="text-soft">{words.noneText}</p>
      <Button kind="second" onClick={onClear}>
        {words.clear}
      </Button>
    </EmptyState>
  )
}
