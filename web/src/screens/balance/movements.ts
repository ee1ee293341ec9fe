import { infiniteQueryOptions } from '@tanstack/react-query'
import { call, type ReplyTo } from '../../api/client.ts'
import { FOLLOWS_STANDING } from '../../api/standing.ts'
import { writeCsv } from '../../format/write-csv.ts'

type Page = ReplyTo<'get /console/api/accounts/{account_id}/movements'>
export type Movement = Page['data'][number]

const ASKED = 'get /console/api/accounts/{account_id}/movements'

export function movementsQuery(accountId: string) {
  return infiniteQueryOptions({
    queryKey: ['movements', accountId],
    queryFn: ({ signal, pageParam }) =>
      call(
        ASKED,
        {
          params: { account_id: accountId },
          ...(pageParam !== undefined && { query: { cursor: pageParam } }),
        },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    meta: FOLLOWS_STANDING,
  })
}

/** The whole statement as a file, however much of it is on the screen. */
export async function downloadMovements(accountId: string): Promise<string> {
  const movements: Movement[] = []
  let cursor: string | null | undefined
  do {
    const query = { limit: '200', ...(cursor && { cursor }) }
    const page: Page = await call(ASKED, { params: { account_id: accountId }, query })
    movements.push(...page.data)
    cursor = page.next_cursor
  } while (cursor)
  return writeMovementsCsv(movements)
}

const HEADER = ['day', 'time_utc', 'kind', 'amount_eur', 'requests', 'reference']

export function writeMovementsCsv(movements: readonly Movement[]): string {
  return writeCsv(
    HEADER,
    movements.map(({ day, at, kind, amount_eur: amount, requests, reference }) => [
      day,
      at === null ? '' : new Date(at).toISOString(),
      kind,
      amount,
      requests ?? '',
      reference ?? '',
    ]),
  )
}
