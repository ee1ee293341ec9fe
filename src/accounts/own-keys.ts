import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/store/index.ts'
import type { Deed } from './audit.ts'
import { ensureConsoleKey } from './console-key.ts'
import { createOwnKey } from './create-own-key.ts'
import { selectKeysById, type CreatedKey } from './keys.ts'
import type { AccountsTables, ApiKeyTable } from './tables.ts'

/** What people do with the keys of their own accounts. */
export interface OwnKeys {
  /** Undefined where the account has as many as it may. */
  createOwnKey(accountId: string, name: string, actor: string): Promise<CreatedKey | undefined>
  /** Of these ids, those that are keys of the account. */
  keysById(accountId: string, keyIds: readonly string[]): Promise<Map<string, ApiKeyTable>>
  /** The hash of the key that the account's playground calls by: no text opens it. */
  consoleKeyHash(accountId: string, actor: string): Promise<string>
}

export interface OwnKeysOptions {
  readonly db: Kysely<AccountsTables>
  readonly reads: Kysely<AccountsTables>
  readonly serviceName: string
  readonly by: (actor: string) => Deed
}

export function createOwnKeys({ db, reads, serviceName, by }: OwnKeysOptions): OwnKeys {
  return {
    createOwnKey: (accountId, name, actor) =>
      inTransaction(db, (tx) => createOwnKey(tx, { accountId, name, serviceName }, by(actor))),
    keysById: (accountId, keyIds) => selectKeysById(reads, accountId, keyIds),
    consoleKeyHash: (accountId, actor) =>
      ensureConsoleKey({ db, reads }, { accountId, serviceName }, by(actor)),
  }
}
