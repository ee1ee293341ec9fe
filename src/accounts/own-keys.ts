import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/store/index.ts'
import type { Actor, Deed } from './audit.ts'
import { ensureConsoleKey } from './console-key.ts'
import { createOwnKey, rollOwnKey } from './create-own-key.ts'
import { selectKeysById, type CreatedKey, type KeyPlace, type NewKey } from './keys.ts'
import type { Rolling, RollWish } from './roll-key.ts'
import type { AccountsTables, ApiKeyTable } from './tables.ts'

/** What people do with the keys of their own accounts. */
export interface OwnKeys {
  /** Undefined where the account has as many as it may. */
  createOwnKey(accountId: string, wanted: NewKey, actor: Actor): Promise<CreatedKey | undefined>
  rollOwnKey(
    place: KeyPlace,
    wish: RollWish,
    actor: Actor,
  ): Promise<Rolling | { readonly kind: 'too_many' }>
  /** Of these ids, those that are keys of the account. */
  keysById(accountId: string, keyIds: readonly string[]): Promise<Map<string, ApiKeyTable>>
  /** The hash of the key that the account's playground calls by: no text opens it. */
  consoleKeyHash(accountId: string, actor: Actor): Promise<string>
}

export interface OwnKeysOptions {
  readonly db: Kysely<AccountsTables>
  readonly reads: Kysely<AccountsTables>
  readonly serviceName: string
  readonly by: (actor: Actor) => Deed
  /** Told of each key that is not what it was, after the change is durable. */
  readonly onChanged: (keyHash: string) => void
}

export function createOwnKeys(options: OwnKeysOptions): OwnKeys {
  const { db, reads, serviceName, by, onChanged } = options
  return {
    createOwnKey: (accountId, wanted, actor) =>
      inTransaction(db, (tx) => createOwnKey(tx, { ...wanted, accountId, serviceName }, by(actor))),
    async rollOwnKey(place, wish, actor) {
      const wanted = { ...place, ...wish, serviceName }
      const rolling = await inTransaction(db, (tx) => rollOwnKey(tx, wanted, by(actor)))
      if (rolling.kind === 'rolled') onChanged(rolling.oldHash)
      return rolling
    },
    keysById: (accountId, keyIds) => selectKeysById(reads, accountId, keyIds),
    consoleKeyHash: (accountId, actor) =>
      ensureConsoleKey({ db, reads }, { accountId, serviceName }, by(actor)),
  }
}
