import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from './client.ts'
import { FOLLOWS_STANDING } from './standing.ts'

export type Usage = ReplyTo<'get /console/api/accounts/{account_id}/usage'>
export type UsageDay = Usage['days'][number]

export interface UsageAsked {
  /** UTC days, both included. */
  readonly from: string
  readonly to: string
  readonly keyId?: string | undefined
}

/** What is on the screen stays there until other days have come. */
export function usageQuery(accountId: string, { from, to, keyId }: UsageAsked) {
  return queryOptions({
    queryKey: ['usage', accountId, from, to, keyId ?? null],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/accounts/{account_id}/usage',
        {
          params: { account_id: accountId },
          query: { from, to, ...(keyId !== undefined && { key_id: keyId }) },
        },
        signal,
      ),
    placeholderData: keepPreviousData,
    meta: FOLLOWS_STANDING,
  })
}
