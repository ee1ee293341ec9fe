import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { recordAudit, type Actor } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { endSignInLinks } from './end-access.ts'

/** A session as its person may see it: nothing of it opens anything. */
export interface SessionEntry {
  readonly id: string
  readonly createdAtMs: number
  /** To the day: it is not written at each request. */
  readonly usedAtMs: number
  readonly expiresAtMs: number
  readonly userAgent: string | null
  readonly address: string | null
}

/** The sessions of a person, each in one browser. */
export interface Sessions {
  /** Newest first; those that have expired are left out. */
  list(personId: string): Promise<SessionEntry[]>
  /** False where this person has no such session. */
  end(personId: string, sessionId: string, actor?: Actor): Promise<boolean>
  /** And the links that would begin another one. */
  endOthers(personId: string, keptId: string, actor?: Actor): Promise<void>
}

/** Nobody has more browsers; a list has to end. */
const MAX_LISTED = 200

export function createSessions(db: Kysely<IdentityTables>, clock: Clock): Sessions {
  return {
    async list(personId) {
      const rows = await db
        .selectFrom('session')
        .select(['id', 'created_at', 'updated_at', 'expires_at', 'user_agent', 'ip_address'])
        .where('user_id', '=', personId)
        .where('expires_at', '>', clock.nowMs())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MAX_LISTED)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        createdAtMs: row.created_at,
        usedAtMs: row.updated_at,
        expiresAtMs: row.expires_at,
        userAgent: row.user_agent || null,
        address: row.ip_address || null,
      }))
    },
    async end(personId, sessionId, actor = personId) {
      // PostgreSQL does not even compare it.
      if (sessionId.includes('\0')) return false
      return db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('session')
          .where('user_id', '=', personId)
          .where('id', '=', sessionId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) return false
        const details = { person_id: personId, session_id: sessionId }
        await recordAudit(tx, { actor, atMs: clock.nowMs() }, 'session.ended', null, details)
        return true
      })
    },
    async endOthers(personId, keptId, actor = personId) {
      await db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('session')
          .where('user_id', '=', personId)
          .where('id', '!=', keptId)
          .executeTakeFirst()
        await endSignInLinks(tx, personId)
        const details = { person_id: personId, sessions: Number(numDeletedRows) }
        await recordAudit(tx, { actor, atMs: clock.nowMs() }, 'session.others_ended', null, details)
      })
    },
  }
}
