import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { IdentityTables } from '../tables.ts'
import { findPasswordHash } from './find-password.ts'
import type { LockOut } from './lock-out.ts'
import { verifyPassword } from './password.ts'
import type { Session } from './people.ts'

/** Why a session alone is not enough. */
export type Unconfirmed =
  /** They signed in too long ago for what cannot be undone. */
  | { readonly kind: 'sign_in_again' }
  | { readonly kind: 'wrong_password' }
  | { readonly kind: 'locked'; readonly retryAfterS: number }

export interface ConfirmPersonOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly lockOut: LockOut
}

const RECENT_MS = 10 * 60_000

/**
 * Whether whoever holds a session is its person: they have just signed in, and know the password if there
 * is one. Undefined where they are.
 */
export async function confirmPerson(
  { db, clock, lockOut }: ConfirmPersonOptions,
  { personId, sinceMs }: Session,
  password: string | undefined,
): Promise<Unconfirmed | undefined> {
  if (clock.nowMs() - sinceMs > RECENT_MS) return { kind: 'sign_in_again' }
  const known = await findPasswordHash(db, personId)
  if (known === undefined) return undefined
  if (password === undefined) return { kind: 'wrong_password' }
  const attempt = await lockOut.begin('session', personId)
  if (attempt.kind === 'locked') return attempt
  if (!(await verifyPassword(known, password))) return { kind: 'wrong_password' }
  await lockOut.clear('session', personId)
  return undefined
}
