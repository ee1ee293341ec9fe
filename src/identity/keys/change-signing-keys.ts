import type { Kysely } from 'kysely'
import { recordAudit, type Deed } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

/** Far more than a rotation needs; each is published to every client, and costs a while to make. */
const MAX_KEYS = 10

export type KeyRotation =
  | { readonly kind: 'made'; readonly key: SigningKey }
  /** Drop some first. */
  | { readonly kind: 'too_many'; readonly most: number }

/** Makes a key that signs after `delayMs`, and drops those that nothing valid was signed with. */
export async function rotateSigningKey(
  db: Kysely<IdentityTables>,
  keys: SigningKeys,
  delayMs: number,
  deed: Deed,
): Promise<KeyRotation> {
  await keys.dropPast()
  if ((await keys.list()).length >= MAX_KEYS) return { kind: 'too_many', most: MAX_KEYS }
  const key = await keys.rotate(delayMs)
  const details = { kid: key.kid, signs_from: key.signsFromMs }
  await db.transaction().execute((tx) => recordAudit(tx, deed, 'signing_key.made', null, details))
  return { kind: 'made', key }
}

export type KeyDrop = 'dropped' | 'signing' | 'unknown'

/** Takes a key away before its time: what it signed is refused at once. */
export async function dropSigningKey(
  db: Kysely<IdentityTables>,
  keys: SigningKeys,
  kid: string,
  deed: Deed,
): Promise<KeyDrop> {
  const outcome = await keys.drop(kid)
  if (outcome !== 'dropped') return outcome
  await db
    .transaction()
    .execute((tx) => recordAudit(tx, deed, 'signing_key.dropped', null, { kid }))
  return 'dropped'
}
