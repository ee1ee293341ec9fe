import type { Transaction } from 'kysely'
import { formatEuros, type NanoEuro } from '#platform/money.ts'
import type { Account } from './account.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables, Plan } from './tables.ts'

/** Only what is given is changed. */
export interface AccountChanges {
  readonly minTier?: 1 | 2 | 3
  readonly plan?: Plan
  /** Null takes the ceiling away. */
  readonly ceiling?: NanoEuro | null
  readonly suspended?: boolean
}

export async function updateAccount(
  tx: Transaction<AccountsTables>,
  account: Account,
  changes: AccountChanges,
  deed: Deed,
): Promise<void> {
  const { minTier, plan, ceiling, suspended } = changes
  const details: Record<string, string | number | boolean | null> = {}
  const set: { min_tier?: 1 | 2 | 3; daily_ceiling_nano?: NanoEuro | null; suspended?: 0 | 1 } = {}
  if (minTier !== undefined) {
    set.min_tier = minTier
    details['min_tier'] = minTier
  }
  if (ceiling !== undefined) {
    set.daily_ceiling_nano = ceiling
    details['daily_ceiling_eur'] = ceiling === null ? null : formatEuros(ceiling)
  }
  if (suspended !== undefined) {
    set.suspended = suspended ? 1 : 0
    details['suspended'] = suspended
  }
  if (Object.keys(set).length > 0) {
    await tx.updateTable('account').set(set).where('id', '=', account.id).execute()
  }
  if (plan !== undefined) {
    details['plan'] = plan
    await tx.updateTable('person').set({ plan }).where('id', '=', account.personId).execute()
  }
  if (Object.keys(details).length === 0) return
  await recordAudit(tx, deed, 'account.changed', account.id, details)
}

/** False where it was so already. */
export async function setSuspended(
  tx: Transaction<AccountsTables>,
  accountId: string,
  suspended: boolean,
  deed: Deed,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ suspended: suspended ? 1 : 0 })
    .where('id', '=', accountId)
    .where('suspended', '=', suspended ? 0 : 1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordAudit(tx, deed, 'account.changed', accountId, { suspended })
  return true
}
