import { sql, type Kysely } from 'kysely'
import type { AccountDayTable, LedgerTables } from './tables.ts'

/** What tells the totals of an account apart. */
export type DayPlace = Pick<AccountDayTable, 'day' | 'brand' | 'key_id'>

/** An account's totals of each day, brand and key, newest first; they outlive the receipts. */
export function selectDayTotals(
  db: Kysely<LedgerTables>,
  accountId: string,
  { before, limit }: { readonly before: DayPlace | undefined; readonly limit: number },
): Promise<AccountDayTable[]> {
  let query = db.selectFrom('account_day').selectAll().where('account_id', '=', accountId)
  if (before) {
    query = query.where(
      sql<boolean>`(day, brand, key_id) < (${before.day}, ${before.brand}, ${before.key_id})`,
    )
  }
  return query
    .orderBy('day', 'desc')
    .orderBy('brand', 'desc')
    .orderBy('key_id', 'desc')
    .limit(limit)
    .execute()
}
