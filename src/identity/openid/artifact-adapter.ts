import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables, OidcArtifactTable } from '../tables.ts'
import { ADDRESSES } from './addresses.ts'
import { findClientMetadata } from './client-metadata.ts'
import { toSeconds } from './signed-in.ts'

export interface ArtifactAdapterOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly issuer: string
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
  const { db, clock, issuer, refreshGraceMs } = options
  const isSecret = SECRET_MODELS.has(model)
  const toKey = (id: string): string => (isSecret ? digest(id) : id)
  const select = () => db.selectFrom('oidc_artifact').selectAll().where('model', '=', model)
  const remove = () => db.deleteFrom('oidc_artifact').where('model', '=', model)

  async function markUsed(grantId: string | undefined): Promise<void> {
    await db
      .updateTable('oidc_artifact')
      .set({ used_at: clock.nowMs() })
      .where('model', '=', 'Grant')
      .where('id', '=', grantId ?? '')
      .execute()
  }

  return {
    async upsert(id, payload, expiresIn) {
      const row = toRow(payload, isSecret, expiresIn ? clock.nowMs() + expiresIn * 1_000 : null)
      await db
        .insertInto('oidc_artifact')
        .values({ model, id: toKey(id), created_at: clock.nowMs(), consumed_at: null, ...row })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row))
        .execute()
      if (model === 'AccessToken') await markUsed(payload.grantId)
    },
    async find(id) {
      if (model === 'Client') return findClientMetadata(db, id)
      const row = await select().where('id', '=', toKey(id)).executeTakeFirst()
      // Two tabs of a client that refresh at once: the second fails, without ending the first one's.
      const sinceUsedMs = clock.nowMs() - (row?.consumed_at ?? -Infinity)
      const isSecondTab = model === 'RefreshToken' && sinceUsedMs < refreshGraceMs
      return row && !isSecondTab ? toPayload(row, isSecret ? { jti: id, issuer } : {}) : undefined
    },
    async findByUid(uid) {
      const row = await select().where('uid', '=', uid).executeTakeFirst()
      return row && toPayload(row, {})
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

function toRow(artifact: AdapterPayload, isSecret: boolean, expiresAtMs: number | null) {
  return {
    payload: JSON.stringify(isSecret ? withoutIds(artifact) : artifact),
    grant_id: artifact.grantId ?? null,
    uid: artifact.uid ?? null,
    account_id: artifact.accountId ?? null,
    client_id: artifact.clientId ?? null,
    expires_at: expiresAtMs,
  }
}

/**
 * An interaction has its own id in the address that it leads back to, and its session's beside it. It
 * is its person's and its browser's, not that session's: another tab may have begun a newer one.
 */
function withoutIds({ session, ...payload }: AdapterPayload): object {
  const kept = session && { ...session, cookie: undefined, uid: undefined }
  return { ...payload, jti: undefined, returnTo: undefined, session: kept }
}

function toPayload(
  row: Selectable<OidcArtifactTable>,
  { jti, issuer }: { readonly jti?: string; readonly issuer?: string },
): AdapterPayload {
  const payload = JSON.parse(row.payload) as AdapterPayload
  const returnTo = `${issuer}${ADDRESSES.authorization}/${jti}`
  return {
    ...payload,
    ...(jti !== undefined && { jti }),
    ...(row.model === 'Interaction' && { returnTo }),
    ...(row.consumed_at !== null && { consumed: toSeconds(row.consumed_at) }),
  }
}

function digest(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}
