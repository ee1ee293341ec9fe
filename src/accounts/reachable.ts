import type { Kysely } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import type { AccountsTables } from './tables.ts'

/** Whom to write to about an account. */
export interface Reachable {
  readonly id: string
  readonly email: string
  readonly ceiling: NanoEuro | null
}

/** Accounts that are in use, and whose person has shown that mail reaches them. */
export async function selectReachable(
  db: Kysely<AccountsTables>,
  accountIds: readonly string[],
): Promise<Map<string, Reachable>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.id', 'person.email', 'account.daily_ceiling_nano'])
    .where('account.id', 'in', accountIds)
    .where('account.suspended', '=', 0)
    .where('person.email_verified', '=', 1)
    .execute()
  return new Map(
    rows.map(({ id, email, daily_ceiling_nano: ceiling }) => [id, { id, email, ceiling }]),
  )
}
