import type { Transaction } from 'kysely'
import { createId } from '#platform/ids.ts'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import type { Ledger } from '#ledger/index.ts'
import { recordAudit, type Deed } from './audit.ts'
import { addMember } from './member.ts'
import type { AccountsTables } from './tables.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string | undefined
}

/** What a person finds on their first account. */
const FREE_CREDIT = nano(1 * NANO_PER_EURO)

/** Makes an account, and its person where the address is new. */
export async function createAccount(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  input: NewAccount,
  deed: Deed,
): Promise<string> {
  return createAccountOf(tx, ledger, await ensurePerson(tx, input, deed), deed)
}

/** Makes an account of a person; gives the free credit once a person. */
export async function createAccountOf(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  personId: string,
  deed: Deed,
): Promise<string> {
  const id = await openAccount(tx, ledger, personId, deed)
  await giveFreeCredit(tx, ledger, { personId, accountId: id }, deed)
  return id
}

/** Makes an account with nothing on it. */
export async function openAccount(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  personId: string,
  deed: Deed,
): Promise<string> {
  const id = createId('acc')
  await tx
    .insertInto('account')
    .values({
      id,
      person_id: personId,
      min_tier: 1,
      daily_ceiling_nano: null,
      suspended: 0,
      created_at: deed.atMs,
    })
    .execute()
  await addMember(tx, { accountId: id, personId }, 'owner', deed.atMs)
  await ledger.openBalance(tx, id)
  await recordAudit(tx, deed, 'account.created', id, {})
  return id
}

/** Gives nothing where the person has had it, on whichever account. */
export async function giveFreeCredit(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  { personId, accountId }: { readonly personId: string; readonly accountId: string },
  { atMs }: Deed,
): Promise<void> {
  // The reference is the person's: a second account finds it taken.
  const reference = `free-credit:${personId}`
  await ledger.credit(tx, { accountId, kind: 'grant', amount: FREE_CREDIT, reference, atMs })
}

/** The person of this address, made where it is new. */
async function ensurePerson(
  tx: Transaction<AccountsTables>,
  person: NewAccount,
  deed: Deed,
): Promise<string> {
  const known = await tx
    .selectFrom('person')
    .select('id')
    .where('email', '=', person.email.toLowerCase())
    .executeTakeFirst()
  return known?.id ?? createPerson(tx, person, deed)
}

/** Fails where there is a person of this address. */
export async function createPerson(
  tx: Transaction<AccountsTables>,
  { email, name }: NewAccount,
  { atMs }: Deed,
): Promise<string> {
  const id = createId('per')
  await tx
    .insertInto('person')
    .values({
      id,
      email: email.toLowerCase(),
      email_verified: 0,
      name: name ?? null,
      picture: null,
      plan: 'FREE',
      role: 'customer',
      two_factor_enabled: 0,
      created_at: atMs,
      updated_at: atMs,
    })
    .execute()
  return id
}
