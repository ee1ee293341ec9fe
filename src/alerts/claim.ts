import type { Kysely } from 'kysely'
import type { Crossing } from './find-crossings.ts'
import type { AlertTables } from './tables.ts'

/** Periods of which rows stay after a newer one: long enough for a replica that looks late. */
const KEPT_PERIODS = 8

/** Those that nobody has told of, as far as can be seen without a lock. */
export async function dropTold(
  db: Kysely<AlertTables>,
  crossings: readonly Crossing[],
): Promise<Crossing[]> {
  if (crossings.length === 0) return []
  const told = await db
    .selectFrom('alert_sent')
    .select(['account_id', 'kind', 'level', 'period'])
    .where('account_id', 'in', [...new Set(crossings.map(({ accountId }) => accountId))])
    .execute()
  const keys = new Set(told.map((row) => keyOf({ ...row, accountId: row.account_id })))
  return crossings.filter((crossing) => !keys.has(keyOf(crossing)))
}

/** Makes these ours to tell of; answers those that no other replica was quicker to make its own. */
export async function claim(
  db: Kysely<AlertTables>,
  crossings: readonly Crossing[],
  atMs: number,
): Promise<Crossing[]> {
  if (crossings.length === 0) return []
  const rows = crossings.map(({ accountId, kind, level, period }) => ({
    account_id: accountId,
    kind,
    level,
    period,
    sent_at: atMs,
  }))
  const claimed = await db
    .insertInto('alert_sent')
    // In one order everywhere: two replicas that claim the same cannot wait for each other.
    .values(rows.toSorted((one, other) => compare(JSON.stringify(one), JSON.stringify(other))))
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
  for (const row of claimed) {
    await db
      .deleteFrom('alert_sent')
      .where('account_id', '=', row.account_id)
      .where('kind', '=', row.kind)
      .where('period', '<', row.period - KEPT_PERIODS)
      .execute()
  }
  return claimed.map((row) => ({ ...row, accountId: row.account_id }))
}

/** For what was claimed and could not be told: whoever looks next may claim it. */
export async function unclaim(
  db: Kysely<AlertTables>,
  crossings: readonly Crossing[],
): Promise<void> {
  for (const { accountId, kind, level, period } of crossings) {
    await db
      .deleteFrom('alert_sent')
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('level', '=', level)
      .where('period', '=', period)
      .execute()
  }
}

function keyOf({ accountId, kind, level, period }: Crossing): string {
  return `${accountId} ${kind} ${level} ${period}`
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
