import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/store/index.ts'
import { hashKey, isWellFormedKey } from './api-key.ts'
import type { Actor, Deed } from './audit.ts'
import {
  createKey,
  findKey,
  revokeKey,
  selectKeys,
  type CreatedKey,
  type KeyPlace,
  type KnownKey,
  type NewKey,
} from './keys.ts'
import { rollKey, type Rolling, type RollWish } from './roll-key.ts'
import type { AccountsTables, ApiKeyTable } from './tables.ts'
import { updateKey, type Changing, type KeyChanges } from './update-key.ts'

/** The keys that open accounts. */
export interface AccountKeys {
  /** The key is in the answer and nowhere else: it cannot be shown again. */
  createKey(accountId: string, wanted: NewKey, actor: Actor): Promise<CreatedKey>
  /** Only what is given is changed. */
  updateKey(place: KeyPlace, changes: KeyChanges, actor: Actor): Promise<Changing>
  /** Another key like this one, which ends after an overlap. */
  rollKey(place: KeyPlace, wish: RollWish, actor: Actor): Promise<Rolling>
  keys(
    accountId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<ApiKeyTable[]>
  /** False where the account has no such key. A key that was revoked stays so. */
  revokeKey(accountId: string, keyId: string, actor: Actor): Promise<boolean>

  /** The hash that a key is known by; undefined for what cannot be a key of ours. */
  hashOf(key: string): string | undefined
  findKey(keyHash: string): Promise<KnownKey | undefined>
}

export interface AccountKeysOptions {
  readonly db: Kysely<AccountsTables>
  readonly reads: Kysely<AccountsTables>
  readonly serviceName: string
  readonly by: (actor: Actor) => Deed
  /** Told of each key that is not what it was, after the change is durable. */
  readonly onChanged: (keyHash: string) => void
}

export function createAccountKeys(options: AccountKeysOptions): AccountKeys {
  const { db, reads, serviceName, by, onChanged } = options
  return {
    createKey: (accountId, wanted, actor) =>
      inTransaction(db, (tx) => createKey(tx, { ...wanted, accountId, serviceName }, by(actor))),
    async updateKey(place, changes, actor) {
      const changing = await inTransaction(db, (tx) => updateKey(tx, place, changes, by(actor)))
      if (changing.kind === 'changed') onChanged(changing.row.hash)
      return changing
    },
    async rollKey(place, wish, actor) {
      const wanted = { ...place, ...wish, serviceName }
      const rolling = await inTransaction(db, (tx) => rollKey(tx, wanted, by(actor)))
      if (rolling.kind === 'rolled') onChanged(rolling.oldHash)
      return rolling
    },
    keys: (accountId, page) => selectKeys(reads, accountId, page),
    async revokeKey(accountId, keyId, actor) {
      const hash = await inTransaction(db, (tx) => revokeKey(tx, { accountId, keyId }, by(actor)))
      if (hash !== undefined) onChanged(hash)
      return hash !== undefined
    },
    hashOf: (key) => (isWellFormedKey(serviceName, key) ? hashKey(key) : undefined),
    findKey: (keyHash) => findKey(reads, keyHash),
  }
}
