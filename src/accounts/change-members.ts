import type { Transaction } from 'kysely'
import type { Ledger } from '#ledger/index.ts'
import { takeAccount } from './account.ts'
import { actorId, recordAudit, type Deed } from './audit.ts'
import { ensureAccount } from './ensure-account.ts'
import { withdrawInvitationsBy } from './invitation.ts'
import { selectMembers, type Member, type MemberPlace } from './member.ts'
import type { MemberRole } from './rights.ts'
import type { AccountsTables } from './tables.ts'

export type MemberChange =
  | { readonly kind: 'changed'; readonly member: Member }
  | { readonly kind: 'no_such_member' | 'last_owner' }

export interface Departure {
  readonly kind: 'gone' | 'no_such_member' | 'last_owner'
}

/** An account has an owner at any time: whoever is the last one stays one. */
export async function changeMemberRole(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: MemberPlace,
  role: MemberRole,
  deed: Deed,
): Promise<MemberChange> {
  const { member, others } = await takeMembers(tx, { accountId, personId })
  if (!member) return { kind: 'no_such_member' }
  if (member.role === role) return { kind: 'changed', member }
  if (member.role === 'owner') {
    const heir = findOwner(others)
    if (!heir) return { kind: 'last_owner' }
    await handOver(tx, { accountId, personId }, heir)
    await withdrawInvitationsBy(tx, { accountId, personId }, deed)
  }
  await tx
    .updateTable('account_member')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute()
  const details = { person_id: personId, from: member.role, role }
  await recordAudit(tx, deed, 'member.role_changed', accountId, details)
  return { kind: 'changed', member: { ...member, role } }
}

/** Removed by an owner, or leaving by themselves. Nobody is left without any account: they get an empty one. */
export async function removeMember(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  { accountId, personId }: MemberPlace,
  deed: Deed,
): Promise<Departure> {
  await takePerson(tx, personId)
  const departure = await takeOut(tx, { accountId, personId }, deed)
  if (departure.kind === 'gone') await ensureAccount(tx, ledger, { personId, credit: false }, deed)
  return departure
}

/** What a person who is to be forgotten leaves behind. */
export type LeavingAll =
  | { readonly kind: 'left' }
  /** They are the last owner of these, where there are other members. */
  | { readonly kind: 'last_owner'; readonly accountIds: readonly string[] }

/**
 * Takes a person out of every account that has other members: of all, or, where they are the last owner of
 * one, of none. Accounts that are theirs alone stay theirs, and nobody can join these any more.
 */
export async function leaveSharedAccounts(
  tx: Transaction<AccountsTables>,
  personId: string,
  deed: Deed,
): Promise<LeavingAll> {
  await takePerson(tx, personId)
  const rows = await tx
    .selectFrom('account_member')
    .select('account_id')
    .where('person_id', '=', personId)
    // In one order everywhere: two who leave the same accounts do not wait for each other.
    .orderBy('account_id')
    .execute()
  const alone: string[] = []
  const shared: string[] = []
  const kept: string[] = []
  for (const { account_id: accountId } of rows) {
    const { member, others } = await takeMembers(tx, { accountId, personId })
    if (!member) continue
    if (others.length === 0) alone.push(accountId)
    else if (member.role === 'owner' && !findOwner(others)) kept.push(accountId)
    else shared.push(accountId)
  }
  if (kept.length > 0) return { kind: 'last_owner', accountIds: kept }
  for (const accountId of alone) {
    await withdrawInvitationsBy(tx, { accountId, personId: null }, deed)
  }
  for (const accountId of shared) await takeOut(tx, { accountId, personId }, deed)
  return { kind: 'left' }
}

async function takeOut(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: MemberPlace,
  deed: Deed,
): Promise<Departure> {
  const { member, others } = await takeMembers(tx, { accountId, personId })
  if (!member) return { kind: 'no_such_member' }
  if (member.role === 'owner') {
    const heir = findOwner(others)
    if (!heir) return { kind: 'last_owner' }
    await handOver(tx, { accountId, personId }, heir)
    await withdrawInvitationsBy(tx, { accountId, personId }, deed)
  }
  await tx
    .deleteFrom('account_member')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .execute()
  const action = actorId(deed.actor) === personId ? 'member.left' : 'member.removed'
  await recordAudit(tx, deed, action, accountId, { person_id: personId, role: member.role })
  return { kind: 'gone' }
}

/** The account is taken first: of two owners that leave at the same moment the second finds itself the last. */
async function takeMembers(tx: Transaction<AccountsTables>, { accountId, personId }: MemberPlace) {
  await takeAccount(tx, accountId)
  const members = await selectMembers(tx, accountId)
  return {
    member: members.find((one) => one.personId === personId),
    others: members.filter((one) => one.personId !== personId),
  }
}

/** The one who has been there the longest. */
function findOwner(members: readonly Member[]): Member | undefined {
  return members.find(({ role }) => role === 'owner')
}

/** Whose name stands on the account's papers is an owner of it. */
async function handOver(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: MemberPlace,
  heir: Member,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({ person_id: heir.personId })
    .where('id', '=', accountId)
    .where('person_id', '=', personId)
    .execute()
}

/** Before any account: whoever takes both takes them in this order. */
async function takePerson(tx: Transaction<AccountsTables>, personId: string): Promise<void> {
  await tx.updateTable('person').set({ id: personId }).where('id', '=', personId).execute()
}
