import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables, OidcArtifactTable } from '../tables.ts'
import { findClientMetadata } from './client-metadata.ts'

export interface ArtifactAdapterOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly refreshGraceMs: number
}

/** What holders of an artifact know it by: whoever reads the store learns no token. */
const SECRET_MODELS: ReadonlySet<string> = new Set([
  'AccessToken',
  'RefreshToken',
  'AuthorizationCode',
  'Session',
  'Interaction',
])

/** Keeps the provider's artifacts in one table, a row each. */
export function createArtifactAdapter(options: ArtifactAdapterOptions) {
  return (model: string): Adapter => createAdapter(model, options)
}

function createAdapter(model: string, options: ArtifactAdapterOptions): Adapter {
  const { db, clock, refreshGraceMs } = options
  const isSecret = SECRET_MODELS.has(model)
  const toKey = (id: string): string => (isSecret ? digest(id) : id)
  const select = () => db.selectFrom('oidc_artifact').selectAll().where('model', '=', model)
  const remove = () => db.deleteFrom('oidc_artifact').where('model', '=', model)

  return {
    async upsert(id, payload, expiresIn) {
      const row = toRow(payload, isSecret, expiresIn ? clock.nowMs() + expiresIn * 1_000 : null)
      await db
        .insertInto('oidc_artifact')
        .values({ model, id: toKey(id), created_at: clock.nowMs(), consumed_at: null, ...row })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row))
        .execute()
    },
    async find(id) {
      if (model === 'Client') return findClientMetadata(db, id)
      const row = await select().where('id', '=', toKey(id)).executeTakeFirst()
      // Two tabs of a client that refresh at once: the second fails, without ending the first one's.
      const sinceUsedMs = clock.nowMs() - (row?.consumed_at ?? -Infinity)
      const isSecondTab = model === 'RefreshToken' && sinceUsedMs < refreshGraceMs
      return row && !isSecondTab ? toPayload(row, isSecret ? id : undefined) : undefined
    },
    async findByUid(uid) {
      const row = await select().where('uid', '=', uid).executeTakeFirst()
      return row && toPayload(row, undefined)
    },
    findByUserCode: async () => undefined,
    async consume(id) {
      // Compare and set: of any number of uses at once exactly one goes on.
      const { numUpdatedRows } = await db
        .updateTable('oidc_artifact')
        .set({ consumed_at: clock.nowMs() })
        .where('model', '=', model)
        .where('id', '=', toKey(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new errors.InvalidGrant('already consumed')
    },
    async destroy(id) {
      await remove().where('id', '=', toKey(id)).execute()
    },
    async revokeByGrantId(grantId) {
      await remove().where('grant_id', '=', grantId).execute()
    },
  }
}

function toRow({ jti, ...payload }: AdapterPayload, isSecret: boolean, expiresAtMs: number | null) {
  return {
    payload: JSON.stringify(isSecret ? payload : { ...payload, jti }),
    grant_id: payload.grantId ?? null,
    uid: payload.uid ?? null,
    account_id: payload.accountId ?? null,
    client_id: payload.clientId ?? null,
    expires_at: expiresAtMs,
  }
}

function toPayload(row: Selectable<OidcArtifactTable>, jti: string | undefined): AdapterPayload {
  const payload = JSON.parse(row.payload) as AdapterPayload
  return {
    ...payload,
    ...(jti !== undefined && { jti }),
    ...(row.consumed_at !== null && { consumed: Math.floor(row.consumed_at / 1_000) }),
  }
}

function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
