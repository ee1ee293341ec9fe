import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'

/** Whether an account can call now, and what is in the way. */
export type Standing = ReplyTo<'get /console/api/accounts/{account_id}/standing'>
export type Blocker = NonNullable<Standing['blocker']>

/** What the keys of its queries begin with. */
export const STANDING = 'standing'

/** The frame keeps it up to date (`LiveStanding`): screens only read it. */
export function standingQuery(accountId: string) {
  const queryKey = [STANDING, accountId] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }) => {
      const params = { account_id: accountId }
      const asked = 'get /console/api/accounts/{account_id}/standing'
      return laterOf(client.getQueryData<Standing>(queryKey), await call(asked, { params }, signal))
    },
  })
}

export function useStanding(accountId: string) {
  return useQuery(standingQuery(accountId))
}

/** An answer may be overtaken by what the stream says. */
export function laterOf(known: Standing | undefined, next: Standing): Standing {
  return known && known.as_of > next.as_of ? known : next
}

/** For queries whose answer changes with each request, credit or key: they are asked anew then. */
export const FOLLOWS_STANDING = { followsStanding: true }
