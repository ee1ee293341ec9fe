import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { recordAudit, type Doer } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { ADDRESS_HEADER } from './paths.ts'

type Noted = Parameters<typeof recordAudit>[2]
type Details = Parameters<typeof recordAudit>[4]

/**
 * Writes down what a person did to their own ways to sign in, after it was done: better-auth has no
 * transaction that it could be part of.
 */
export type NoteDeed = (
  personId: string,
  action: Noted,
  headers: Headers | undefined,
  details?: Details,
) => Promise<void>

export function createNoteDeed(options: {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
}): NoteDeed {
  const { db, clock } = options
  return async function noteDeed(personId, action, headers, details = {}) {
    const deed = { actor: describeDoer(personId, headers), atMs: clock.nowMs() }
    await db
      .transaction()
      .execute((tx) => recordAudit(tx, deed, action, null, { person_id: personId, ...details }))
  }
}

function describeDoer(id: string, headers: Headers | undefined): Doer {
  return {
    id,
    as: 'person',
    address: headers?.get(ADDRESS_HEADER) ?? null,
    userAgent: headers?.get('user-agent') ?? null,
  }
}
