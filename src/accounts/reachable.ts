import type { Kysely } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import { rolesWith } from './rights.ts'
import type { AccountsTables } from './tables.ts'

/** Whom to write to about an account's money. */
export interface Reachable {
  readonly id: string
  /** At least one. */
  readonly emails: readonly string[]
  readonly ceiling: NanoEuro | null
}

/** Accounts that are in use, and those who may pay for them and have shown that mail reaches them. */
export async function selectReachable(
  db: Kysely<AccountsTables>,
  accountIds: readonly string[],
): Promise<Map<string, Reachable>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account')
    .innerJoin('account_member', 'account_member.account_id', 'account.id')
    .innerJoin('person', 'person.id', 'account_member.person_id')
    .select(['account.id', 'person.email', 'account.daily_ceiling_nano'])
    .where('account.id', 'in', accountIds)
    .where('account.suspended', '=', 0)
    .where('account_member.role', 'in', [...rolesWith('pay')])
    .where('person.email_verified', '=', 1)
    .orderBy('account_member.created_at')
    .execute()
  const reachable = new Map<string, Reachable>()
  for (const { id, email, daily_ceiling_nano: ceiling } of rows) {
    reachable.set(id, { id, emails: [...(reachable.get(id)?.emails ?? []), email], ceiling })
  }
  return reachable
}
