import { withTables, type AnyTransaction } from '#platform/store/index.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'

/** What was taken from somebody who has lost it. */
export interface TwoFactorLoss {
  readonly authenticator: boolean
  readonly passkeys: number
}

/** Signing in takes no code any more; within the transaction that deletes what the codes come from. */
export async function recordTwoFactorReset(
  tx: AnyTransaction,
  personId: string,
  loss: TwoFactorLoss,
  deed: Deed,
): Promise<void> {
  await withTables<AccountsTables>(tx)
    .updateTable('person')
    .set({ two_factor_enabled: 0, updated_at: deed.atMs })
    .where('id', '=', personId)
    .execute()
  const details = { person_id: personId, ...loss }
  await recordAudit(tx, deed, 'person.two_factor_reset', null, details)
}
