import type { Kysely } from 'kysely'
import type { Funds } from '#platform/funds.ts'
import type { NanoEuro } from '#platform/money.ts'
import type { BalanceTable, LedgerTables, ReceiptTable } from './tables.ts'

export function toFunds(row: BalanceTable): Funds {
  return {
    balance: row.balance_nano,
    deposits: row.deposits_nano,
    spentDay: row.spent_day,
    spent: row.spent_nano,
    version: row.version,
  }
}

export async function selectFunds(
  db: Kysely<LedgerTables>,
  accountIds: readonly string[],
): Promise<Map<string, Funds>> {
  if (accountIds.length === 0) return new Map()
  const rows = await selectBalances(db, accountIds)
  return new Map(rows.map((row) => [row.account_id, toFunds(row)]))
}

/** How an account's money went: what it has, and what it had when money was last added. */
export interface Course extends Funds {
  readonly raises: number
  readonly raisedTo: NanoEuro
}

export async function selectCourses(
  db: Kysely<LedgerTables>,
  accountIds: readonly string[],
): Promise<Map<string, Course>> {
  if (accountIds.length === 0) return new Map()
  const rows = await selectBalances(db, accountIds)
  return new Map(
    rows.map((row) => [
      row.account_id,
      { ...toFunds(row), raises: row.raises, raisedTo: row.raised_to_nano },
    ]),
  )
}

function selectBalances(
  db: Kysely<LedgerTables>,
  accountIds: readonly string[],
): Promise<BalanceTable[]> {
  return db.selectFrom('balance').selectAll().where('account_id', 'in', accountIds).execute()
}

/** Newest first; `before` is the request id that the page before ended with. */
export function selectReceipts(
  db: Kysely<LedgerTables>,
  accountId: string,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ReceiptTable[]> {
  let query = db.selectFrom('receipt').selectAll().where('account_id', '=', accountId)
  if (page.before !== undefined) query = query.where('request_id', '<', page.before)
  return query.orderBy('request_id', 'desc').limit(page.limit).execute()
}
