import { sql, type Kysely } from 'kysely'
import type { AccountsTables } from './tables.ts'

/**
 * A text for each of these accounts that differs when its limits or keys have changed: for whoever
 * asks again and again, of many at once.
 */
export async function selectMarks(
  db: Kysely<AccountsTables>,
  accountIds: readonly string[],
): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .leftJoin('api_key', 'api_key.account_id', 'account.id')
    .select([
      'account.id',
      'account.suspended',
      'account.min_tier',
      'account.daily_ceiling_nano',
      sql<number>`count(api_key.id)`.as('keys'),
      sql<number>`count(api_key.revoked_at)`.as('revoked'),
      // Not as integers: the sum of many large ceilings may be beyond them.
      sql<number>`sum(cast(api_key.expires_at as double precision))`.as('expiries'),
      sql<number>`sum(cast(api_key.daily_ceiling_nano as double precision))`.as('ceilings'),
    ])
    .where('account.id', 'in', accountIds)
    .groupBy(['account.id', 'account.suspended', 'account.min_tier', 'account.daily_ceiling_nano'])
    .execute()
  return new Map(rows.map(({ id, ...limits }) => [id, Object.values(limits).join(' ')]))
}
