import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Persons } from '#accounts/index.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { sweepArtifacts } from './openid/sweep-artifacts.ts'
import { FORGET_GUESSES_MS } from './people/lock-out.ts'
import type { IdentityTables } from './tables.ts'

export interface SweepOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly signingKeys: SigningKeys
  readonly persons: Pick<Persons, 'forgetInvitations' | 'forgetAudit'>
}

/** In one statement: on the embedded store a charge waits for it. */
const BATCH = 500
/** A sweep ends; what is left then waits for the next one. */
const MAX_BATCHES = 200

const HOUR_MS = 3_600_000

/** Deletes what has expired. Replicas may do it at once: none deletes what another one needs. */
export async function sweep({ db, persons, clock, signingKeys }: SweepOptions): Promise<void> {
  const nowMs = clock.nowMs()
  for (const table of ['session', 'verification', 'sign_in_link'] as const) {
    await inBatches(() => {
      const ids = db.selectFrom(table).select('id').where('expires_at', '<', nowMs).limit(BATCH)
      return db.deleteFrom(table).where('id', 'in', ids).executeTakeFirst()
    })
  }
  await inBatches(() => deleteLimits(db, nowMs - HOUR_MS))
  await inBatches(() => deleteGuesses(db, nowMs - FORGET_GUESSES_MS))
  await sweepArtifacts(db, nowMs)
  await persons.forgetInvitations()
  await signingKeys.dropPast()
  await persons.forgetAudit()
}

function deleteLimits(db: Kysely<IdentityTables>, beforeMs: number) {
  const ids = db
    .selectFrom('rate_limit')
    .select('id')
    .where('last_request', '<', beforeMs)
    .limit(BATCH)
  return db.deleteFrom('rate_limit').where('id', 'in', ids).executeTakeFirst()
}

function deleteGuesses(db: Kysely<IdentityTables>, beforeMs: number) {
  const keys = db
    .selectFrom('lock_out')
    .select('key')
    .where('updated_at', '<', beforeMs)
    .limit(BATCH)
  return db.deleteFrom('lock_out').where('key', 'in', keys).executeTakeFirst()
}

async function inBatches(
  deleteSome: () => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const { numDeletedRows } = await deleteSome()
    if (numDeletedRows < BigInt(BATCH)) return
  }
}
