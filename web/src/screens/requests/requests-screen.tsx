import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useAccountId } from '../../api/chosen-account.tsx'
import { Button } from '../../parts/button.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/language.tsx'
import { FindRequest } from './find-request.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { RequestFilterFields } from './request-filter-fields.tsx'
import { RequestList } from './request-list.tsx'
import { requestsQuery } from './requests-query.ts'
import type { RequestsSearch } from './requests-search.ts'
import { requestsWords } from './words.ts'

const route = getRouteApi('/console/requests')

export function RequestsScreen() {
  const words = useWords(requestsWords)
  const accountId = useAccountId()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { request: openId, ...filters } = search
  const isBackwards = (filters.from ?? '') > (filters.to ?? '9999')
  const requests = useInfiniteQuery({
    ...requestsQuery(accountId, filters),
    enabled: !isBackwards,
  })
  const go = (change: RequestsSearch): void =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    })
  const clear = (): void => void navigate({ search: {}, replace: true, resetScroll: false })
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <Button
          kind="second"
          busy={requests.isRefetching && !requests.isFetchingNextPage}
          onClick={() => void requests.refetch()}
        >
          {words.refresh}
        </Button>
      }
    >
      <Card>
        <div className="flex flex-col gap-6">
          <RequestFilterFields filters={filters} isBackwards={isBackwards} onChoose={go} />
          <FindRequest onFind={(request) => go({ request })} />
        </div>
      </Card>
      <Card>
        <Loaded query={requests} lines={10}>
          {({ pages }) => (
            <RequestList
              rows={pages.flatMap(({ data }) => data)}
              isFiltered={Object.keys(filters).length > 0}
              pages={requests}
              onClear={clear}
            />
          )}
        </Loaded>
      </Card>
      {openId !== undefined && (
        <RequestDialog requestId={openId} onClose={() => go({ request: undefined })} />
      )}
    </Page>
  )
}
