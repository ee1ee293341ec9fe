import type { Kysely, Transaction } from 'kysely'
import { createId } from '#platform/ids.ts'
import { formatEuros, type NanoEuro } from '#platform/money.ts'
import { canBeKept } from './account.ts'
import { generateKey } from './api-key.ts'
import { recordAudit, type AuditDetails, type Deed } from './audit.ts'
import type { AccountsTables, ApiKeyTable, KeyKind } from './tables.ts'

/** Where a key is looked for: in an account, which may have no such key. */
export interface KeyPlace {
  readonly accountId: string
  readonly keyId: string
}

export interface CreatedKey {
  /** The whole key: here and nowhere else. */
  readonly key: string
  readonly row: ApiKeyTable
}

/** A key that opens its account until it expires. */
export interface KnownKey extends KeyPlace {
  readonly expiresAtMs: number | null
  readonly ceiling: NanoEuro | null
}

/** What may be left out is without a limit. */
export interface KeyLimits {
  readonly expiresAtMs?: number | null
  readonly ceiling?: NanoEuro | null
}

export interface NewKey extends KeyLimits {
  readonly name: string
}

export interface WantedKey extends NewKey {
  readonly accountId: string
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
    expires_at: wanted.expiresAtMs ?? null,
    daily_ceiling_nano: wanted.ceiling ?? null,
  }
  await tx.insertInto('api_key').values(row).execute()
  const details = { key_id: row.id, name: row.name, ...describeLimits(wanted) }
  await recordAudit(tx, deed, 'key.created', row.account_id, details)
  return { key, row }
}

/** Those limits that are given, by the names that an audit entry has for them. */
export function describeLimits({ expiresAtMs, ceiling }: KeyLimits): AuditDetails {
  return {
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
    ...(ceiling !== undefined && {
      daily_ceiling_eur: ceiling === null ? null : formatEuros(ceiling),
    }),
  }
}

/** The key whose limits are looked at, kept from being changed by others until the transaction ends. */
export async function takeKey(
  tx: Transaction<AccountsTables>,
  { accountId, keyId }: KeyPlace,
): Promise<ApiKeyTable | undefined> {
  if (!canBeKept(keyId)) return undefined
  return tx
    .updateTable('api_key')
    .set({ id: keyId })
    .where('account_id', '=', accountId)
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirst()
}

/** The hash of the key that is now revoked, or was before; undefined where there is no such key. */
export async function revokeKey(
  tx: Transaction<AccountsTables>,
  { accountId, keyId }: KeyPlace,
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

/** Undefined where no key has this hash, or it was revoked. One that has expired is told with its time. */
export async function findKey(
  db: Kysely<AccountsTables>,
  keyHash: string,
): Promise<KnownKey | undefined> {
  const row = await db
    .selectFrom('api_key')
    .select(['id', 'account_id', 'expires_at', 'daily_ceiling_nano'])
    .where('hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return (
    row && {
      keyId: row.id,
      accountId: row.account_id,
      expiresAtMs: row.expires_at,
      ceiling: row.daily_ceiling_nano,
    }
  )
}
