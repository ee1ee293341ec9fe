import type { Transaction } from 'kysely'
import { createId } from '#platform/ids.ts'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import type { Ledger } from '#ledger/index.ts'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'

export interface NewAccount {
  readonly email: string
  readonly name: string | undefined
}

/** What a person finds on their first account. */
const FREE_CREDIT = nano(1 * NANO_PER_EURO)

/** Makes an account, and its person where the address is new; gives the free credit once a person. */
export async function createAccount(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  { email, name }: NewAccount,
  deed: Deed,
): Promise<string> {
  const { atMs } = deed
  const personId = await ensurePerson(tx, { email: email.toLowerCase(), name, atMs })
  const id = createId('acc')
  await tx
    .insertInto('account')
    .values({
      id,
      person_id: personId,
      min_tier: 1,
      daily_ceiling_nano: null,
      suspended: 0,
      created_at: atMs,
    })
    .execute()
  await ledger.openBalance(tx, id)
  // The reference is the person's: a second account finds it taken, and gets nothing.
  const reference = `free-credit:${personId}`
  await ledger.credit(tx, { accountId: id, kind: 'grant', amount: FREE_CREDIT, reference, atMs })
  await recordAudit(tx, deed, 'account.created', id, {})
  return id
}

async function ensurePerson(
  tx: Transaction<AccountsTables>,
  person: { readonly email: string; readonly name: string | undefined; readonly atMs: number },
): Promise<string> {
  const known = await tx
    .selectFrom('person')
    .select('id')
    .where('email', '=', person.email)
    .executeTakeFirst()
  if (known) return known.id
  const id = createId('per')
  await tx
    .insertInto('person')
    .values({
      id,
      email: person.email,
      name: person.name ?? null,
      plan: 'FREE',
      created_at: person.atMs,
    })
    .execute()
  return id
}
