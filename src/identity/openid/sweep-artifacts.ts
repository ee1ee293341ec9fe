import { sql, type Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/** So many at once: on the embedded store every charge waits behind a delete. */
const BATCH = 500

/**
 * Deletes artifacts that have expired. Those that were used are kept until then as well: a second
 * use of a refresh token is only known by the first.
 */
export async function sweepArtifacts(db: Kysely<IdentityTables>, nowMs: number): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from oidc_artifact where (model, id) in (
        select model, id from oidc_artifact where expires_at <= ${nowMs} limit ${BATCH})`.execute(
      db,
    )
    if ((numAffectedRows ?? 0n) < BATCH) return
  }
}
