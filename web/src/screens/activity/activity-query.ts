import { infiniteQueryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'
import { keepGiven } from '../../parts/given-search.ts'
import type { ActivitySearch } from './activity-search.ts'

export type ActivityEntry = ReplyTo<'get /console/api/accounts/{account_id}/audit'>['data'][number]

export function activityQuery(accountId: string, filters: ActivitySearch) {
  return infiniteQueryOptions({
    queryKey: ['activity', accountId, filters],
    queryFn: ({ signal, pageParam }) =>
      call(
        'get /console/api/accounts/{account_id}/audit',
        {
          params: { account_id: accountId },
          query: keepGiven({ ...filters, cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}
