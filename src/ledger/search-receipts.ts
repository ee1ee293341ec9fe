import { sql, type Kysely } from 'kysely'
import type { Ending, LedgerTables, ReceiptTable } from './tables.ts'

/** Which receipts of an account are looked for. */
export interface ReceiptSearch {
  readonly brand: string | undefined
  readonly keyId: string | undefined
  readonly ended: Ending | undefined
  /** UTC days of the requests' arrival, both included. */
  readonly fromDay: string | undefined
  readonly toDay: string | undefined
  /** The id that the page before ended with. */
  readonly before: string | undefined
  readonly limit: number
}

export interface FoundReceipts {
  readonly receipts: readonly ReceiptTable[]
  /** Where to go on; undefined where there is nothing more. */
  readonly next: string | undefined
}

/** So many receipts does one search look at, whatever it finds among them. */
export const MAX_SCANNED = 20_000

const DAY_MS = 86_400_000

/**
 * Newest first. A page looks at so many receipts by the account's index and no more: where few of them
 * are looked for it has fewer than asked, perhaps none, and says where to go on.
 */
export async function searchReceipts(
  db: Kysely<LedgerTables>,
  accountId: string,
  search: ReceiptSearch,
  maxScanned = MAX_SCANNED,
): Promise<FoundReceipts> {
  const { brand, keyId, ended, limit } = search
  const within = writeBounds(accountId, search)
  let found = db
    .selectFrom(
      db
        .selectFrom('receipt')
        .selectAll()
        .where(within)
        .orderBy('request_id', 'desc')
        .limit(maxScanned)
        .as('scanned'),
    )
    .selectAll()
  if (brand !== undefined) found = found.where('brand', '=', brand)
  if (keyId !== undefined) found = found.where('key_id', '=', keyId)
  if (ended !== undefined) found = found.where('ended', '=', ended)
  const rows = await found
    .orderBy('request_id', 'desc')
    .limit(limit + 1)
    .execute()
  const receipts = rows.slice(0, limit)
  if (rows.length > limit) return { receipts, next: receipts.at(-1)?.request_id }
  const last = await db
    .selectFrom('receipt')
    .select('request_id')
    .where(within)
    .orderBy('request_id', 'desc')
    .offset(maxScanned - 1)
    .limit(1)
    .executeTakeFirst()
  return { receipts, next: last?.request_id }
}

export function findReceipt(
  db: Kysely<LedgerTables>,
  accountId: string,
  requestId: string,
): Promise<ReceiptTable | undefined> {
  return db
    .selectFrom('receipt')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Ids begin with the time they were made at, so days are ranges of ids. */
function writeBounds(accountId: string, { fromDay, toDay, before }: ReceiptSearch) {
  const bounds = [sql<boolean>`account_id = ${accountId}`]
  if (fromDay !== undefined) bounds.push(sql`request_id >= ${firstIdOf(Date.parse(fromDay))}`)
  if (toDay !== undefined) bounds.push(sql`request_id < ${firstIdOf(Date.parse(toDay) + DAY_MS)}`)
  if (before !== undefined) bounds.push(sql`request_id < ${before}`)
  return sql.join<boolean>(bounds, sql` and `)
}

/** Where the ids begin that are made from this moment on: the first 48 bits of a UUIDv7 are its time. */
function firstIdOf(atMs: number): string {
  return `req_${Math.max(0, atMs).toString(16).padStart(12, '0')}`
}
