import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'
import { accountsQuery } from '../../api/own.ts'
import { standingQuery } from '../../api/standing.ts'

export type Topup = ReplyTo<'get /console/api/topups/{topup_id}'>

/** What can be paid in, as the contract has it. */
export const AMOUNTS = ['10.00', '20.00', '50.00', '100.00'] as const
export type Amount = (typeof AMOUNTS)[number]

const PAGE = '10'

export function topupsQuery(accountId: string) {
  return infiniteQueryOptions({
    queryKey: ['topups', accountId],
    queryFn: ({ signal, pageParam }) =>
      call(
        'get /console/api/accounts/{account_id}/topups',
        {
          params: { account_id: accountId },
          query: { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

export function documentsQuery(topupId: string) {
  return queryOptions({
    queryKey: ['documents', topupId],
    queryFn: ({ signal }) =>
      call(
        'get /console/api/topups/{topup_id}/documents',
        { params: { topup_id: topupId } },
        signal,
      ),
  })
}

/** Opens a checkout, and leads there: another origin, unless it is test money. */
export async function goToCheckout(accountId: string, amount: Amount): Promise<void> {
  const opened = await call('post /console/api/accounts/{account_id}/topups', {
    params: { account_id: accountId },
    body: { amount_eur: amount },
  })
  location.assign(opened.checkout_url)
}

/** Whether more can become of it by itself. */
export function isUnderWay({ state }: Topup): boolean {
  return state === 'open' || state === 'pending'
}

/** After money has come in: everything that it changes is asked anew. */
export async function askAnew(queries: QueryClient, accountId: string): Promise<void> {
  await Promise.all(
    [
      accountsQuery.queryKey,
      standingQuery(accountId).queryKey,
      ['topups', accountId],
      ['documents'],
      ['movements', accountId],
    ].map((queryKey) => queries.invalidateQueries({ queryKey })),
  )
}
