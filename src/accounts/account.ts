import type { Kysely, Transaction } from 'kysely'
import type { NanoEuro } from '#platform/money.ts'
import type { AccountsTables, Plan } from './tables.ts'

export interface Account {
  readonly id: string
  readonly personId: string
  readonly email: string
  readonly name: string | null
  readonly plan: Plan
  readonly minTier: 1 | 2 | 3
  readonly ceiling: NanoEuro | null
  readonly suspended: boolean
  readonly createdAtMs: number
}

export interface AccountFilter {
  readonly id?: string
  /** Those that this person is a member of, in whichever role. */
  readonly memberId?: string
  readonly email?: string
  /** The id that the page before ended with. */
  readonly before?: string
}

/** Newest first. */
export async function selectAccounts(
  db: Kysely<AccountsTables>,
  filter: AccountFilter,
  limit: number,
): Promise<Account[]> {
  let query = db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select([
      'account.id',
      'account.person_id',
      'person.email',
      'person.name',
      'person.plan',
      'account.min_tier',
      'account.daily_ceiling_nano',
      'account.suspended',
      'account.created_at',
    ])
  if (filter.id !== undefined) query = query.where('account.id', '=', filter.id)
  if (filter.memberId !== undefined) {
    const joined = db
      .selectFrom('account_member')
      .select('account_id')
      .where('person_id', '=', filter.memberId)
    query = query.where('account.id', 'in', joined)
  }
  if (filter.email !== undefined) query = query.where('person.email', '=', filter.email)
  if (filter.before !== undefined) query = query.where('account.id', '<', filter.before)
  const rows = await query.orderBy('account.id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    id: row.id,
    personId: row.person_id,
    email: row.email,
    name: row.name,
    plan: row.plan,
    minTier: row.min_tier,
    ceiling: row.daily_ceiling_nano,
    suspended: row.suspended === 1,
    createdAtMs: row.created_at,
  }))
}

export async function findAccount(
  db: Kysely<AccountsTables>,
  id: string,
): Promise<Account | undefined> {
  if (!canBeKept(id)) return undefined
  const [account] = await selectAccounts(db, { id }, 1)
  return account
}

/** Keeps others who take it from changing what hangs on it until the transaction ends. */
export async function takeAccount(
  tx: Transaction<AccountsTables>,
  accountId: string,
): Promise<void> {
  await tx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute()
}

/** What has a U+0000 is nobody's id: PostgreSQL takes it for an error, even in a question. */
export function canBeKept(id: string): boolean {
  return !id.includes('\0')
}

/** For an id that came from our own rows. */
export async function findExistingAccount(
  db: Kysely<AccountsTables>,
  id: string,
): Promise<Account> {
  const account = await findAccount(db, id)
  if (!account) throw new Error(`account ${id} is not there`)
  return account
}

/** A name and an address, or the address alone. */
export async function describeOwner(db: Kysely<AccountsTables>, id: string): Promise<string> {
  const { name, email } = await findExistingAccount(db, id)
  return name === null ? email : `${name}, ${email}`
}
