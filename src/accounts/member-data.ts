import type { Kysely } from 'kysely'
import type { MemberRole } from './rights.ts'
import type { AccountsTables, InvitationTable } from './tables.ts'

/** What is kept of a person for being a member, or asked to become one, or asking others. */
export interface MemberData {
  readonly memberships: readonly {
    readonly accountId: string
    readonly role: MemberRole
    readonly joinedAtMs: number
  }[]
  readonly sent: readonly KnownInvitation[]
  /** To their address, if it is confirmed: who invited them is another's. */
  readonly received: readonly Omit<KnownInvitation, 'invited_by'>[]
}

/** By its token it could be accepted. */
type KnownInvitation = Omit<InvitationTable, 'token_hash'>

const RECEIVED = [
  'id',
  'account_id',
  'email',
  'role',
  'created_at',
  'expires_at',
  'ended_at',
] as const

export async function readMemberData(
  db: Kysely<AccountsTables>,
  personId: string,
): Promise<MemberData> {
  const memberships = await db
    .selectFrom('account_member')
    .select(['account_id', 'role', 'created_at'])
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .execute()
  const sent = await db
    .selectFrom('invitation')
    .select([...RECEIVED, 'invited_by'])
    .where('invited_by', '=', personId)
    .orderBy('id', 'desc')
    .execute()
  const received = await db
    .selectFrom('invitation')
    .innerJoin('person', 'person.email', 'invitation.email')
    .select(RECEIVED.map((column) => `invitation.${column}` as const))
    .where('person.id', '=', personId)
    .where('person.email_verified', '=', 1)
    .orderBy('invitation.id', 'desc')
    .execute()
  return {
    memberships: memberships.map((row) => ({
      accountId: row.account_id,
      role: row.role,
      joinedAtMs: row.created_at,
    })),
    sent,
    received,
  }
}
