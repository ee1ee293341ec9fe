import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import type { CreditedAddresses } from './credited-addresses.ts'
import { endAccess } from './end-access.ts'
import { findPasswordHash } from './find-password.ts'
import type { LockOut } from './lock-out.ts'
import { verifyPassword } from './password.ts'
import type { Session } from './people.ts'

export type Removal =
  | { readonly kind: 'removed' }
  /** They signed in too long ago for what cannot be undone. */
  | { readonly kind: 'sign_in_again' }
  | { readonly kind: 'wrong_password' }
  /** They are the last owner of these, which have other members. */
  | { readonly kind: 'last_owner'; readonly accountIds: readonly string[] }
  | { readonly kind: 'locked'; readonly retryAfterS: number }

export interface RemovePersonOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  readonly lockOut: LockOut
  readonly creditedAddresses: CreditedAddresses
}

const RECENT_MS = 10 * 60_000

/** Forgets a person at their own wish, and all that signs them in. The books stay, without a name. */
export function createRemovePerson(options: RemovePersonOptions) {
  const { db, persons, clock, lockOut, creditedAddresses } = options
  return async function removePerson(session: Session, password?: string): Promise<Removal> {
    const { personId, email } = session
    if (clock.nowMs() - session.sinceMs > RECENT_MS) return { kind: 'sign_in_again' }
    const refusal = await checkPassword({ db, lockOut }, personId, password)
    if (refusal) return refusal
    // First of all, for it may be refused.
    const leaving = await persons.leaveSharedAccounts(personId)
    if (leaving.kind === 'last_owner') return leaving
    // Before the address is forgotten: who comes back with it has had the free credit.
    await creditedAddresses.claim(email, personId)
    for (const table of ['credential', 'passkey', 'two_factor'] as const) {
      await db.deleteFrom(table).where('user_id', '=', personId).execute()
    }
    await endAccess(db, personId)
    await persons.remove(personId, personId)
    await lockOut.clear('sign_in', email)
    // Last: until here the same session could begin again, had the store gone away in between.
    await db.deleteFrom('session').where('user_id', '=', personId).execute()
    return { kind: 'removed' }
  }
}

async function checkPassword(
  { db, lockOut }: Pick<RemovePersonOptions, 'db' | 'lockOut'>,
  personId: string,
  password: string | undefined,
): Promise<Removal | undefined> {
  const known = await findPasswordHash(db, personId)
  if (known === undefined) return undefined
  if (password === undefined) return { kind: 'wrong_password' }
  const attempt = await lockOut.begin('session', personId)
  if (attempt.kind === 'locked') return attempt
  if (!(await verifyPassword(known, password))) return { kind: 'wrong_password' }
  await lockOut.clear('session', personId)
  return undefined
}
