import type { Kysely, Transaction } from 'kysely'
import { createId } from '#platform/ids.ts'
import { canBeKept } from './account.ts'
import { generateKey } from './api-key.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables, ApiKeyTable, KeyKind } from './tables.ts'

export interface CreatedKey {
  /** The whole key: here and nowhere else. */
  readonly key: string
  readonly row: ApiKeyTable
}

export interface WantedKey {
  readonly accountId: string
  readonly name: string
  readonly serviceName: string
  readonly kind?: KeyKind
}

export async function createKey(
  tx: Transaction<AccountsTables>,
  wanted: WantedKey,
  deed: Deed,
): Promise<CreatedKey> {
  const { key, hash, prefix, lastFour } = generateKey(wanted.serviceName)
  const row: ApiKeyTable = {
    id: createId('key'),
    account_id: wanted.accountId,
    name: wanted.name,
    hash,
    prefix,
    last_four: lastFour,
    kind: wanted.kind ?? 'secret',
    created_at: deed.atMs,
    revoked_at: null,
  }
  await tx.insertInto('api_key').values(row).execute()
  const details = { key_id: row.id, name: row.name }
  await recordAudit(tx, deed, 'key.created', row.account_id, details)
  return { key, row }
}

/** The hash of the key that is now revoked, or was before; undefined where there is no such key. */
export async function revokeKey(
  tx: Transaction<AccountsTables>,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string },
  deed: Deed,
): Promise<string | undefined> {
  if (!canBeKept(keyId)) return undefined
  const row = await tx
    .selectFrom('api_key')
    .select(['hash', 'revoked_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst()
  if (!row || row.revoked_at !== null) return row?.hash
  await tx.updateTable('api_key').set({ revoked_at: deed.atMs }).where('id', '=', keyId).execute()
  await recordAudit(tx, deed, 'key.revoked', accountId, { key_id: keyId })
  return row.hash
}

/** Newest first, revoked ones included; `before` is the id that the page before ended with. */
export function selectKeys(
  db: Kysely<AccountsTables>,
  accountId: string,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<ApiKeyTable[]> {
  let query = db.selectFrom('api_key').selectAll().where('account_id', '=', accountId)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  return query.orderBy('id', 'desc').limit(page.limit).execute()
}

/** Of these ids, those that are keys of the account. */
export async function selectKeysById(
  db: Kysely<AccountsTables>,
  accountId: string,
  keyIds: readonly string[],
): Promise<Map<string, ApiKeyTable>> {
  if (keyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', 'in', keyIds)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whose a key is; undefined where no key has this hash, or it was revoked. */
export async function findKeyOwner(
  db: Kysely<AccountsTables>,
  keyHash: string,
): Promise<{ keyId: string; accountId: string } | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'account_id'])
    .where('hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return row && { keyId: row.id, accountId: row.account_id }
}
