import { infiniteQueryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'
import { FOLLOWS_STANDING } from './standing.ts'

type KeyPage = ReplyTo<'get /console/api/accounts/{account_id}/keys'>
export type OwnKey = KeyPage['data'][number]
/** With the whole key, which no other answer has. */
export type CreatedKey = ReplyTo<'post /console/api/accounts/{account_id}/keys'>

/** The first page has no cursor. */
const FIRST = undefined as string | undefined

/** All that begin with it are asked anew when keys change. */
export const keysOf = (accountId: string) => ['keys', accountId] as const

/** The keys of an account, newest first, in pages. */
export function keysQuery(accountId: string) {
  return infiniteQueryOptions({
    queryKey: [...keysOf(accountId), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(
        'get /console/api/accounts/{account_id}/keys',
        {
          params: { account_id: accountId },
          query: { limit: '200', ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: FIRST,
    getNextPageParam: (last: KeyPage) => last.next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    meta: FOLLOWS_STANDING,
  })
}
