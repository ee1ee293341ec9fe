import { sql, type Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { fingerprint } from '../keys/sealing.ts'
import type { IdentityTables } from '../tables.ts'

export type Attempt =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'locked'; readonly retryAfterS: number }

/** What is guessed: a person's password at the door, or by whoever holds one of their sessions. */
export type Guessed = 'sign_in' | 'session'

/**
 * Slows guesses at one person's password, wherever they come from. The store counts, so that replicas
 * do it together, and knows whose it is by a keyed hash alone: an address that has no account is
 * treated like any other, and the table is no list of addresses.
 */
export interface LockOut {
  /** Asked before a guess is looked at. Counts it as wrong, so that of many at once few are tried. */
  begin(what: Guessed, who: string): Promise<Attempt>
  /** The guess was right, or another way was found: forgets all that were wrong. */
  clear(what: Guessed, who: string): Promise<void>
}

export interface LockOutOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly secret: string
}

/** So many may be wrong in a row; each one after that doubles the wait, up to the longest. */
const FREE_FAILURES = 5
const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 15 * 60_000
/** What nobody has guessed at for so long is swept. */
export const FORGET_GUESSES_MS = 24 * 3_600_000

export function createLockOut({ db, clock, secret }: LockOutOptions): LockOut {
  const toKey = (what: Guessed, who: string): string =>
    fingerprint(secret, 'lock-out', `${what} ${who.toLowerCase()}`)

  return {
    async begin(what, who) {
      const key = toKey(what, who)
      const nowMs = clock.nowMs()
      // One statement: of guesses at the same moment each sees the one before it counted.
      const counted = await db
        .insertInto('lock_out')
        .values({ key, failures: 1, locked_until: 0, updated_at: nowMs })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({
              failures: sql<number>`lock_out.failures + 1`,
              locked_until: waitAfterNext(nowMs),
              updated_at: nowMs,
            })
            .where('lock_out.locked_until', '<=', nowMs),
        )
        .returning('failures')
        .executeTakeFirst()
      if (counted) return { kind: 'allowed' }
      const row = await db
        .selectFrom('lock_out')
        .select('locked_until')
        .where('key', '=', key)
        .executeTakeFirst()
      const leftMs = (row?.locked_until ?? nowMs) - nowMs
      return { kind: 'locked', retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)) }
    },
    async clear(what, who) {
      await db.deleteFrom('lock_out').where('key', '=', toKey(what, who)).execute()
    },
  }
}

/** When a guess may be made after this one. */
function waitAfterNext(nowMs: number) {
  const moment = (ms: number) => sql<number>`cast(${ms} as bigint)`
  const doublings = Math.ceil(Math.log2(LONGEST_WAIT_MS / FIRST_WAIT_MS))
  const cases = Array.from({ length: doublings }, (_, step) => {
    const failures = sql`cast(${FREE_FAILURES + step} as bigint)`
    return sql`when lock_out.failures + 1 = ${failures} then ${moment(nowMs + FIRST_WAIT_MS * 2 ** step)}`
  })
  return sql<number>`case
    when lock_out.failures + 1 < cast(${FREE_FAILURES} as bigint) then ${moment(0)}
    ${sql.join(cases, sql` `)}
    else ${moment(nowMs + LONGEST_WAIT_MS)} end`
}
