import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'
import { keepGiven } from '../../parts/given-search.ts'
import type { RequestsSearch } from './requests-search.ts'

/** What is kept of a request: figures and names. */
export type Receipt = ReplyTo<'get /console/api/accounts/{account_id}/requests/{request_id}'>

export type RequestFilters = Omit<RequestsSearch, 'request'>

export function requestsQuery(accountId: string, filters: RequestFilters) {
  const { model, key, ended, from, to } = filters
  return infiniteQueryOptions({
    queryKey: ['requests', accountId, { model, key, ended, from, to }],
    queryFn: ({ signal, pageParam }) =>
      call(
        'get /console/api/accounts/{account_id}/requests',
        {
          params: { account_id: accountId },
          query: keepGiven({ brand: model, key_id: key, ended, from, to, cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

export function requestQuery(accountId: string, requestId: string) {
  return queryOptions({
    queryKey: ['request', accountId, requestId],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/requests/{request_id}',
        { params: { account_id: accountId, request_id: requestId } },
        signal,
      ),
  })
}
