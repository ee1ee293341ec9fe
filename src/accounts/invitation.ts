import { hash, randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { createId } from '#platform/ids.ts'
import { canBeKept, takeAccount } from './account.ts'
import { actorId, recordAudit, type Deed } from './audit.ts'
import { addMember, selectMembers } from './member.ts'
import { findPerson } from './person.ts'
import type { MemberRole } from './rights.ts'
import type { AccountsTables, InvitationTable } from './tables.ts'

/** Somebody who is asked to become a member, by their address: whether it is anybody's is not looked at. */
export interface Invitation {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly role: MemberRole
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface InvitationWish {
  readonly accountId: string
  readonly email: string
  readonly role: MemberRole
}

export type Inviting =
  /** The token is here and nowhere else: the mail carries it. */
  | { readonly kind: 'invited'; readonly invitation: Invitation; readonly token: string }
  | { readonly kind: 'member_already' | 'full' }
  | { readonly kind: 'too_often'; readonly retryAfterS: number }

export type Accepting =
  | { readonly kind: 'accepted'; readonly accountId: string; readonly role: MemberRole }
  /** It was used, withdrawn or too old, or never one of ours. */
  | { readonly kind: 'over' }
  | { readonly kind: 'another_person' | 'unconfirmed' | 'full' }

/** More than anybody looks through; who is invited counts. */
export const MAX_MEMBERS = 50
/** Mails of one account within a day: they go to addresses that have never heard of us. */
const MAX_MAILS = 20
const DAY_MS = 86_400_000
const LIFETIME_MS = 7 * DAY_MS
const TOKEN_BYTES = 32
/** That many bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

/** Inviting an address again withdraws what it was invited by before: the newest mail counts. */
export async function invite(
  tx: Transaction<AccountsTables>,
  { accountId, email, role }: InvitationWish,
  deed: Deed,
): Promise<Inviting> {
  const address = email.toLowerCase()
  await takeAccount(tx, accountId)
  const members = await selectMembers(tx, accountId)
  if (members.some((one) => one.email === address)) return { kind: 'member_already' }
  const retryAfterS = await findWait(tx, accountId, deed.atMs)
  if (retryAfterS !== undefined) return { kind: 'too_often', retryAfterS }
  const pending = await selectInvitations(tx, accountId, deed.atMs)
  const others = pending.filter((one) => one.email !== address)
  if (members.length + others.length >= MAX_MEMBERS) return { kind: 'full' }
  await endInvitations(
    tx,
    pending.filter((one) => one.email === address).map(({ id }) => id),
    deed.atMs,
  )
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row: InvitationTable = {
    id: createId('inv'),
    account_id: accountId,
    email: address,
    role,
    token_hash: hashToken(token),
    invited_by: actorId(deed.actor),
    created_at: deed.atMs,
    expires_at: deed.atMs + LIFETIME_MS,
    ended_at: null,
  }
  await tx.insertInto('invitation').values(row).execute()
  // Without the address: it is perhaps nobody's here, and what is written down stays.
  await recordAudit(tx, deed, 'member.invited', accountId, { invitation_id: row.id, role })
  return { kind: 'invited', invitation: describeInvitation(row), token }
}

/** Those that can be accepted, newest first. */
export async function selectInvitations(
  db: Kysely<AccountsTables>,
  accountId: string,
  nowMs: number,
): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitation')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(describeInvitation)
}

/** By what a mail carries; undefined for what cannot be accepted (any more). */
export async function findInvitation(
  db: Kysely<AccountsTables>,
  token: string,
  nowMs: number,
): Promise<(Invitation & { readonly invitedBy: string }) | undefined> {
  if (!TOKEN.test(token)) return undefined
  const row = await db
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return row && { ...describeInvitation(row), invitedBy: row.invited_by }
}

/** Makes the person a member, if they are who was invited. A member stays what they are. */
export async function acceptInvitation(
  tx: Transaction<AccountsTables>,
  { token, personId }: { readonly token: string; readonly personId: string },
  deed: Deed,
): Promise<Accepting> {
  const found = await findInvitation(tx, token, deed.atMs)
  if (!found) return { kind: 'over' }
  const { id, accountId, role } = found
  await takeAccount(tx, accountId)
  const person = await findPerson(tx, personId)
  if (person?.email !== found.email) return { kind: 'another_person' }
  if (!person.emailVerified) return { kind: 'unconfirmed' }
  const members = await selectMembers(tx, accountId)
  const known = members.find((one) => one.personId === personId)
  if (!known && members.length >= MAX_MEMBERS) return { kind: 'full' }
  // Looked at again now that the account is ours: of two who accept at once one finds it there.
  if (!(await endInvitations(tx, [id], deed.atMs))) return { kind: 'over' }
  if (known) return { kind: 'accepted', accountId, role: known.role }
  await addMember(tx, { accountId, personId }, role, deed.atMs)
  const details = { person_id: personId, role, invitation_id: id }
  await recordAudit(tx, deed, 'member.joined', accountId, details)
  return { kind: 'accepted', accountId, role }
}

/** False where the account has no such invitation, or it is over. */
export async function withdrawInvitation(
  tx: Transaction<AccountsTables>,
  { accountId, invitationId }: { readonly accountId: string; readonly invitationId: string },
  deed: Deed,
): Promise<boolean> {
  if (!canBeKept(invitationId)) return false
  const pending = await selectInvitations(tx, accountId, deed.atMs)
  if (!pending.some(({ id }) => id === invitationId)) return false
  if (!(await endInvitations(tx, [invitationId], deed.atMs))) return false
  await recordAudit(tx, deed, 'invitation.withdrawn', accountId, { invitation_id: invitationId })
  return true
}

/** What an owner began who is none any more is not gone through with. `null`: whoever began it. */
export async function withdrawInvitationsBy(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: { readonly accountId: string; readonly personId: string | null },
  deed: Deed,
): Promise<void> {
  let query = tx
    .updateTable('invitation')
    .set({ ended_at: deed.atMs })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', deed.atMs)
  if (personId !== null) query = query.where('invited_by', '=', personId)
  for (const { id } of await query.returning('id').execute()) {
    await recordAudit(tx, deed, 'invitation.withdrawn', accountId, { invitation_id: id })
  }
}

/** Deletes those that are over, once they do not count any more: an address is not kept for nothing. */
export async function forgetInvitations(db: Kysely<AccountsTables>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('invitation')
    .where('created_at', '<', nowMs - DAY_MS)
    .where(({ or, eb }) => or([eb('ended_at', 'is not', null), eb('expires_at', '<=', nowMs)]))
    .execute()
}

/** Whether any of them was not over already. */
async function endInvitations(
  tx: Transaction<AccountsTables>,
  ids: readonly string[],
  atMs: number,
): Promise<boolean> {
  if (ids.length === 0) return false
  const { numUpdatedRows } = await tx
    .updateTable('invitation')
    .set({ ended_at: atMs })
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Each row is one mail. Seconds until the account may send the next one; undefined where it may now. */
async function findWait(
  tx: Transaction<AccountsTables>,
  accountId: string,
  nowMs: number,
): Promise<number | undefined> {
  const sent = await tx
    .selectFrom('invitation')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('created_at', '>', nowMs - DAY_MS)
    .orderBy('created_at', 'desc')
    .limit(MAX_MAILS)
    .execute()
  const oldest = sent[MAX_MAILS - 1]
  return oldest && Math.max(1, Math.ceil((oldest.created_at + DAY_MS - nowMs) / 1_000))
}

function describeInvitation(row: InvitationTable): Invitation {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
  }
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
