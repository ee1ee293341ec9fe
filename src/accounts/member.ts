import type { Kysely, Transaction } from 'kysely'
import { canBeKept } from './account.ts'
import type { MemberRole } from './rights.ts'
import type { AccountsTables } from './tables.ts'

/** A person in an account, as its other members see them. */
export interface Member {
  readonly personId: string
  readonly email: string
  readonly name: string | null
  readonly role: MemberRole
  readonly joinedAtMs: number
}

/** Which person in which account: perhaps they are no member. */
export interface MemberPlace {
  readonly accountId: string
  readonly personId: string
}

/** Those that joined first, first. An account has few. */
export async function selectMembers(
  db: Kysely<AccountsTables>,
  accountId: string,
): Promise<Member[]> {
  const rows = await db
    .selectFrom('account_member')
    .innerJoin('person', 'person.id', 'account_member.person_id')
    .select([
      'account_member.person_id',
      'person.email',
      'person.name',
      'account_member.role',
      'account_member.created_at',
    ])
    .where('account_member.account_id', '=', accountId)
    .orderBy('account_member.created_at')
    .orderBy('account_member.person_id')
    .execute()
  return rows.map((row) => ({
    personId: row.person_id,
    email: row.email,
    name: row.name,
    role: row.role,
    joinedAtMs: row.created_at,
  }))
}

/** Undefined for who is no member, and where there is no such account. */
export async function findMemberRole(
  db: Kysely<AccountsTables>,
  { accountId, personId }: MemberPlace,
): Promise<MemberRole | undefined> {
  if (!canBeKept(accountId) || !canBeKept(personId)) return undefined
  const row = await db
    .selectFrom('account_member')
    .select('role')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row?.role
}

/** What a person is in each of these accounts; those where they are nothing are left out. */
export async function selectRolesOf(
  db: Kysely<AccountsTables>,
  personId: string,
  accountIds: readonly string[],
): Promise<Map<string, MemberRole>> {
  if (accountIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('account_member')
    .select(['account_id', 'role'])
    .where('person_id', '=', personId)
    .where('account_id', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ account_id: accountId, role }) => [accountId, role]))
}

export async function addMember(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: MemberPlace,
  role: MemberRole,
  atMs: number,
): Promise<void> {
  await tx
    .insertInto('account_member')
    .values({ account_id: accountId, person_id: personId, role, created_at: atMs })
    .execute()
}
