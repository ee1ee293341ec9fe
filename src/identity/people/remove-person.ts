import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import type { Actor, LeavingAll, Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import type { CreditedAddresses } from './credited-addresses.ts'
import { confirmPerson, type Unconfirmed } from './confirm-person.ts'
import { endAccess } from './end-access.ts'
import type { LockOut } from './lock-out.ts'
import type { Session } from './people.ts'

/** A person who is the last owner of accounts that have other members hands these over first. */
export type Forgetting =
  | { readonly kind: 'removed' }
  | Extract<LeavingAll, { readonly kind: 'last_owner' }>

export type Removal = Forgetting | Unconfirmed

export interface RemovePersonOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  readonly lockOut: LockOut
  readonly creditedAddresses: CreditedAddresses
}

/** Forgets a person at their own wish, and all that signs them in. The books stay, without a name. */
export function createRemovePerson(options: RemovePersonOptions) {
  return async function removePerson(
    session: Session,
    actor: Actor,
    password?: string,
  ): Promise<Removal> {
    const refusal = await confirmPerson(options, session, password)
    if (refusal) return refusal
    return forgetPerson(options, { id: session.personId, email: session.email }, actor)
  }
}

/** Forgets a person, whoever wishes it. */
export async function forgetPerson(
  { db, persons, lockOut, creditedAddresses }: Omit<RemovePersonOptions, 'clock'>,
  { id, email }: { readonly id: string; readonly email: string },
  actor: Actor,
): Promise<Forgetting> {
  // First of all, for it may be refused.
  const leaving = await persons.leaveSharedAccounts(id, actor)
  if (leaving.kind === 'last_owner') return leaving
  // Before the address is forgotten: who comes back with it has had the free credit.
  await creditedAddresses.claim(email, id)
  for (const table of ['credential', 'passkey', 'two_factor'] as const) {
    await db.deleteFrom(table).where('user_id', '=', id).execute()
  }
  await endAccess(db, id)
  await persons.remove(id, actor)
  await lockOut.clear('sign_in', email)
  await lockOut.clear('session', id)
  // Last: until here the same session could begin again, had the store gone away in between.
  await db.deleteFrom('session').where('user_id', '=', id).execute()
  return { kind: 'removed' }
}
