import type { Transaction } from 'kysely'
import { recordAudit, type Deed } from './audit.ts'
import { describeLimits, takeKey, type KeyLimits, type KeyPlace } from './keys.ts'
import type { AccountsTables, ApiKeyTable } from './tables.ts'

/** Only what is given is changed; null takes a limit away. */
export interface KeyChanges extends KeyLimits {
  readonly name?: string
}

/** The key as it is now; undefined where the account has none with this id. A revoked one stays so. */
export async function updateKey(
  tx: Transaction<AccountsTables>,
  place: KeyPlace,
  changes: KeyChanges,
  deed: Deed,
): Promise<ApiKeyTable | undefined> {
  const row = await takeKey(tx, place)
  if (!row) return undefined
  const { name, expiresAtMs, ceiling } = changes
  const set: Partial<ApiKeyTable> = {
    ...(name !== undefined && { name }),
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
    ...(ceiling !== undefined && { daily_ceiling_nano: ceiling }),
  }
  if (Object.keys(set).length === 0) return row
  await tx.updateTable('api_key').set(set).where('id', '=', row.id).execute()
  const details = {
    key_id: row.id,
    ...(name !== undefined && { name }),
    ...describeLimits(changes),
  }
  await recordAudit(tx, deed, 'key.changed', row.account_id, details)
  return { ...row, ...set }
}
