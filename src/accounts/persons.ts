import { inTransaction, withTables } from '#platform/store/index.ts'
import type { AccountsOptions } from './accounts.ts'
import type { Actor, Deed } from './audit.ts'
import { leaveSharedAccounts, type LeavingAll } from './change-members.ts'
import { ensureAccount } from './ensure-account.ts'
import { forgetAudit } from './forget-audit.ts'
import { forgetInvitations } from './invitation.ts'
import { noteExport, type ExportNote } from './note-export.ts'
import {
  confirmAddress,
  findPerson,
  selectPersons,
  setRole,
  type Person,
  type PersonFilter,
} from './person.ts'
import { removePerson } from './remove-person.ts'
import type { AccountsTables, Role } from './tables.ts'

/** Who accounts belong to. How they sign in is not known here. */
export interface Persons {
  find(personId: string): Promise<Person | undefined>
  list(filter: PersonFilter, limit: number): Promise<Person[]>
  /** Undefined where there is no such person. */
  setRole(personId: string, role: Role, actor: Actor): Promise<Person | undefined>
  /** Mail to their address has reached them. */
  confirmAddress(personId: string): Promise<void>
  /** Gives a person their first account where they have none, and with `credit` the free credit. */
  ensureAccount(personId: string, options: { readonly credit: boolean }): Promise<void>
  /** Before they are removed: their accounts are theirs alone then, or they are the last owner of some. */
  leaveSharedAccounts(personId: string, actor: Actor): Promise<LeavingAll>
  /** Deletes invitations that are over, with the addresses in them. */
  forgetInvitations(): Promise<void>
  /** Forgets who they were, suspends their accounts and revokes their keys. Their books stay. */
  remove(personId: string, actor: Actor): Promise<void>
  /** Writes down that they take their data with them, unless they have done so too often. */
  noteExport(personId: string, actor: Actor): Promise<ExportNote>
  /** Forgets where old entries of the audit log came from, and old sign-ins altogether. */
  forgetAudit(): Promise<void>
}

export function createPersons(options: Omit<AccountsOptions, 'serviceName'>): Persons {
  const { store, ledger, clock, onChange } = options
  const db = withTables<AccountsTables>(store.db)
  const reads = withTables<AccountsTables>(store.reads)
  const by = (actor: Actor): Deed => ({ actor, atMs: clock.nowMs() })

  return {
    find: (personId) => findPerson(reads, personId),
    list: (filter, limit) => selectPersons(reads, filter, limit),
    async setRole(personId, role, actor) {
      const known = await inTransaction(db, (tx) => setRole(tx, personId, role, by(actor)))
      return known ? findPerson(reads, personId) : undefined
    },
    confirmAddress: (personId) => confirmAddress(db, personId, clock.nowMs()),
    async ensureAccount(personId, { credit }) {
      const accountId = await inTransaction(db, (tx) =>
        ensureAccount(tx, ledger, { personId, credit }, by(personId)),
      )
      onChange.account(accountId)
    },
    leaveSharedAccounts: (personId, actor) =>
      inTransaction(db, (tx) => leaveSharedAccounts(tx, personId, by(actor))),
    forgetInvitations: () => forgetInvitations(db, clock.nowMs()),
    noteExport: (personId, actor) => inTransaction(db, (tx) => noteExport(tx, personId, by(actor))),
    forgetAudit: () => forgetAudit(db, clock.nowMs()),
    async remove(personId, actor) {
      const removed = await inTransaction(db, (tx) =>
        removePerson(tx, store.engine, personId, by(actor)),
      )
      for (const accountId of removed.accountIds) onChange.account(accountId)
      for (const keyHash of removed.keyHashes) onChange.key(keyHash)
    },
  }
}
