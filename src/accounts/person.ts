import type { Kysely, Transaction } from 'kysely'
import { canBeKept } from './account.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables, Plan, Role } from './tables.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
  readonly name: string | null
  readonly picture: string | null
  readonly plan: Plan
  readonly role: Role
  readonly twoFactorEnabled: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface PersonFilter {
  readonly id?: string
  readonly email?: string
  readonly role?: Role
  /** The id that the page before ended with. */
  readonly before?: string
}

/** Newest first. */
export async function selectPersons(
  db: Kysely<AccountsTables>,
  { id, email, role, before }: PersonFilter,
  limit: number,
): Promise<Person[]> {
  let query = db.selectFrom('person').selectAll()
  if (id !== undefined) query = query.where('id', '=', id)
  if (email !== undefined) query = query.where('email', '=', email.toLowerCase())
  if (role !== undefined) query = query.where('role', '=', role)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified === 1,
    name: row.name,
    picture: row.picture,
    plan: row.plan,
    role: row.role,
    twoFactorEnabled: row.two_factor_enabled === 1,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  }))
}

export async function findPerson(
  db: Kysely<AccountsTables>,
  id: string,
): Promise<Person | undefined> {
  if (!canBeKept(id)) return undefined
  const [person] = await selectPersons(db, { id }, 1)
  return person
}

export async function confirmAddress(
  db: Kysely<AccountsTables>,
  personId: string,
  atMs: number,
): Promise<void> {
  const confirmed = { email_verified: 1, updated_at: atMs } as const
  await db.updateTable('person').set(confirmed).where('id', '=', personId).execute()
}

/** False where there is no such person. */
export async function setRole(
  tx: Transaction<AccountsTables>,
  personId: string,
  role: Role,
  deed: Deed,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('person')
    .set({ role, updated_at: deed.atMs })
    .where('id', '=', personId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await recordAudit(tx, deed, 'person.role_changed', null, { person_id: personId, role })
  return true
}
