import type { Kysely } from 'kysely'
import { inTransaction } from '#platform/store/index.ts'
import type { Ledger } from '#ledger/index.ts'
import { findAccount, selectAccounts, type Account } from './account.ts'
import type { Clock } from '#platform/clock.ts'
import type { Actor, Deed } from './audit.ts'
import {
  changeMemberRole,
  removeMember,
  type Departure,
  type MemberChange,
} from './change-members.ts'
import {
  acceptInvitation,
  findInvitation,
  invite,
  selectInvitations,
  withdrawInvitation,
  type Accepting,
  type Invitation,
  type InvitationWish,
  type Inviting,
} from './invitation.ts'
import {
  findMemberRole,
  selectMembers,
  selectRolesOf,
  type Member,
  type MemberPlace,
} from './member.ts'
import { readMemberData, type MemberData } from './member-data.ts'
import type { MemberRole } from './rights.ts'
import type { AccountsTables } from './tables.ts'

/** An account, and what a person is in it. */
export interface Membership {
  readonly account: Account
  readonly role: MemberRole
}

/** Who belongs to an account, and in which role. */
export interface Members {
  /** Undefined for who is no member, and where there is no such account. */
  find(place: MemberPlace): Promise<Membership | undefined>
  /** The accounts that a person is a member of, newest first. */
  of(
    personId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<Membership[]>
  /** Those of an account, who joined first, first. */
  list(accountId: string): Promise<Member[]>
  changeRole(place: MemberPlace, role: MemberRole, actor: Actor): Promise<MemberChange>
  /** By an owner, or by themselves. Holds at the next request. */
  remove(place: MemberPlace, actor: Actor): Promise<Departure>

  /** The account must exist. */
  invite(wish: InvitationWish, actor: Actor): Promise<Inviting>
  /** Those that can be accepted, newest first. */
  invitations(accountId: string): Promise<Invitation[]>
  /** False where there is none to withdraw. */
  withdraw(accountId: string, invitationId: string, actor: Actor): Promise<boolean>
  /** By what a mail carries: looks, and uses nothing up. */
  findInvitation(token: string): Promise<(Invitation & { readonly invitedBy: string }) | undefined>
  /** All that is kept of one person. */
  dataOf(personId: string): Promise<MemberData>
  accept(token: string, personId: string, actor: Actor): Promise<Accepting>
}

export interface MembersOptions {
  readonly db: Kysely<AccountsTables>
  readonly reads: Kysely<AccountsTables>
  readonly ledger: Ledger
  readonly clock: Clock
  readonly by: (actor: Actor) => Deed
}

export function createMembers(options: MembersOptions): Members {
  const { db, reads, ledger, clock, by } = options
  return {
    async find(place) {
      const role = await findMemberRole(reads, place)
      const account = role && (await findAccount(reads, place.accountId))
      return account && { account, role }
    },
    async of(personId, { before, limit }) {
      const filter = { memberId: personId, ...(before !== undefined && { before }) }
      const accounts = await selectAccounts(reads, filter, limit)
      const ids = accounts.map(({ id }) => id)
      const roles = await selectRolesOf(reads, personId, ids)
      return accounts.flatMap((account) => {
        const role = roles.get(account.id)
        return role ? [{ account, role }] : []
      })
    },
    list: (accountId) => selectMembers(reads, accountId),
    changeRole: (place, role, actor) =>
      inTransaction(db, (tx) => changeMemberRole(tx, place, role, by(actor))),
    remove: (place, actor) => inTransaction(db, (tx) => removeMember(tx, ledger, place, by(actor))),
    invite: (wish, actor) => inTransaction(db, (tx) => invite(tx, wish, by(actor))),
    invitations: (accountId) => selectInvitations(reads, accountId, clock.nowMs()),
    withdraw: (accountId, invitationId, actor) =>
      inTransaction(db, (tx) => withdrawInvitation(tx, { accountId, invitationId }, by(actor))),
    findInvitation: (token) => findInvitation(reads, token, clock.nowMs()),
    dataOf: (personId) => readMemberData(reads, personId),
    accept: (token, personId, actor) =>
      inTransaction(db, (tx) => acceptInvitation(tx, { token, personId }, by(actor))),
  }
}
