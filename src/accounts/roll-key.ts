import type { Transaction } from 'kysely'
import { recordAudit, type Deed } from './audit.ts'
import { createKey, takeKey, type CreatedKey, type KeyPlace } from './keys.ts'
import type { AccountsTables } from './tables.ts'

export type Rolling =
  | { readonly kind: 'rolled'; readonly created: CreatedKey; readonly oldHash: string }
  | { readonly kind: 'no_such_key' }
  /** Of these there cannot be another: the last is a playground's own, which nobody holds. */
  | { readonly kind: 'revoked' | 'expired' | 'console' }

export interface RollWish {
  /** For so long both keys work; 0 ends the old one at once. */
  readonly overlapMs: number
  /** When the new one ends: with the old one where it is not given; null: never. */
  readonly expiresAtMs?: number | null
}

export interface RollWanted extends KeyPlace, RollWish {
  readonly serviceName: string
}

/**
 * Makes another key with the same name, ceiling and expiry, and lets the old one expire: never later than
 * it would have anyway. Rolling a key is no way to have it for longer unless that is said.
 */
export async function rollKey(
  tx: Transaction<AccountsTables>,
  { accountId, keyId, serviceName, overlapMs, expiresAtMs }: RollWanted,
  deed: Deed,
): Promise<Rolling> {
  const old = await takeKey(tx, { accountId, keyId })
  if (!old) return { kind: 'no_such_key' }
  if (old.kind === 'console') return { kind: 'console' }
  if (old.revoked_at !== null) return { kind: 'revoked' }
  const knownEnd = old.expires_at ?? Number.POSITIVE_INFINITY
  if (knownEnd <= deed.atMs) return { kind: 'expired' }
  const { name, daily_ceiling_nano: ceiling } = old
  const limits = { ceiling, expiresAtMs: expiresAtMs === undefined ? old.expires_at : expiresAtMs }
  const created = await createKey(tx, { accountId, name, serviceName, ...limits }, deed)
  const expiresAt = Math.min(knownEnd, deed.atMs + overlapMs)
  await tx.updateTable('api_key').set({ expires_at: expiresAt }).where('id', '=', keyId).execute()
  const details = { key_id: keyId, new_key_id: created.row.id, expires_at: expiresAt }
  await recordAudit(tx, deed, 'key.rolled', accountId, details)
  return { kind: 'rolled', created, oldHash: old.hash }
}
