import { sql, type Kysely } from 'kysely'
import type { Funds, KeySpend } from '#platform/funds.ts'
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

/** In one statement, so that spend and version are of the same moment. The account must exist. */
export async function selectKeySpend(
  db: Kysely<LedgerTables>,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
): Promise<KeySpend> {
  const { rows } = await sql<KeySpend>`
    select b.spent_day as day, b.version, cast(coalesce((
      select sum(d.charged_nano) from account_day d
      where d.account_id = b.account_id and d.day = b.spent_day and d.key_id = ${keyId}
    ), 0) as bigint) as spent
    from balance b where b.account_id = ${accountId}`.execute(db)
  const [spend] = rows
  if (!spend) throw new Error(`account ${accountId} has no balance`)
  return spend
}

/**
 * What was charged today to those of the account's keys that were charged anything. The day is the one
 * that a charge of now counts for: one that was closed is not opened again.
 */
export async function selectKeysSpent(
  db: Kysely<LedgerTables>,
  accountId: string,
  today: string,
): Promise<Map<string, NanoEuro>> {
  const { rows } = await sql<{ key_id: string; spent: NanoEuro }>`
    select d.key_id, cast(sum(d.charged_nano) as bigint) as spent
    from balance b
    join account_day d on d.account_id = b.account_id and d.day = b.spent_day
    where b.account_id = ${accountId} and b.spent_day >= ${today}
    group by d.key_id`.execute(db)
  return new Map(rows.map((row) => [row.key_id, row.spent]))
}
