import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import type { LockOut } from './people/lock-out.ts'
import type { IdentityTables } from './tables.ts'

export interface SweepOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly lockOut: LockOut
  readonly signingKeys: SigningKeys
}

/** In one statement: on the embedded store a charge waits for it. */
const BATCH = 500
/** A sweep ends; what is left then waits for the next one. */
const MAX_BATCHES = 200

const HOUR_MS = 3_600_000

/** Deletes what has expired. Replicas may do it at once: none deletes what another one needs. */
export async function sweep({ db, clock, lockOut, signingKeys }: SweepOptions): Promise<void> {
  const nowMs = clock.nowMs()
  await inBatches(async () => {
    const ids = db.selectFrom('session').select('id').where('expires_at', '<', nowMs).limit(BATCH)
    return db.deleteFrom('session').where('id', 'in', ids).executeTakeFirst()
  })
  await inBatches(async () => {
    const ids = db
      .selectFrom('verification')
      .select('id')
      .where('expires_at', '<', nowMs)
      .limit(BATCH)
    return db.deleteFrom('verification').where('id', 'in', ids).executeTakeFirst()
  })
  await inBatches(async () => {
    const beforeMs = nowMs - HOUR_MS
    const ids = db
      .selectFrom('rate_limit')
      .select('id')
      .where('last_request', '<', beforeMs)
      .limit(BATCH)
    return db.deleteFrom('rate_limit').where('id', 'in', ids).executeTakeFirst()
  })
  await inBatches(() => deleteArtifacts(db, nowMs))
  await lockOut.sweep()
  await signingKeys.dropPast()
}

/** Their key has two columns, which the engines compare in one text. */
async function deleteArtifacts(db: Kysely<IdentityTables>, nowMs: number) {
  const expired = await db
    .selectFrom('oidc_artifact')
    .select(['model', 'id'])
    .where('expires_at', '<', nowMs)
    .limit(BATCH)
    .execute()
  if (expired.length === 0) return { numDeletedRows: 0n }
  const models = [...new Set(expired.map(({ model }) => model))]
  return db
    .deleteFrom('oidc_artifact')
    .where('expires_at', '<', nowMs)
    .where('model', 'in', models)
    .where(
      'id',
      'in',
      expired.map(({ id }) => id),
    )
    .executeTakeFirst()
}

async function inBatches(
  deleteSome: () => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { numDeletedRows } = await deleteSome()
    if (numDeletedRows < BigInt(BATCH)) return
  }
}
