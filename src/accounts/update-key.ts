import type { Transaction } from 'kysely'
import { recordAudit, type Deed } from './audit.ts'
import { describeLimits, takeKey, type KeyLimits, type KeyPlace } from './keys.ts'
import type { AccountsTables, ApiKeyTable } from './tables.ts'

/** Only what is given is changed; null takes a limit away. */
export interface KeyChanges extends KeyLimits {
  readonly name?: string
}

export type Changing =
  | { readonly kind: 'changed'; readonly row: ApiKeyTable }
  | { readonly kind: 'no_such_key' }
  /** Neither is changed any more: what is revoked stays so, and a playground's key is nobody's. */
  | { readonly kind: 'revoked' | 'console' }

export async function updateKey(
  tx: Transaction<AccountsTables>,
  place: KeyPlace,
  changes: KeyChanges,
  deed: Deed,
): Promise<Changing> {
  const row = await takeKey(tx, place)
  if (!row) return { kind: 'no_such_key' }
  if (row.kind === 'console') return { kind: 'console' }
  if (row.revoked_at !== null) return { kind: 'revoked' }
  const { name, expiresAtMs, ceiling } = changes
  const set: Partial<ApiKeyTable> = {
    ...(name !== undefined && { name }),
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
    ...(ceiling !== undefined && { daily_ceiling_nano: ceiling }),
  }
  if (Object.keys(set).length === 0) return { kind: 'changed', row }
  await tx.updateTable('api_key').set(set).where('id', '=', row.id).execute()
  const details = {
    key_id: row.id,
    ...(name !== undefined && { name }),
    ...describeLimits(changes),
  }
  await recordAudit(tx, deed, 'key.changed', row.account_id, details)
  return { kind: 'changed', row: { ...row, ...set } }
}
