import type { Kysely } from 'kysely'
import { isUniqueViolation } from '#platform/store/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { Deed } from './audit.ts'
import { createAccountOf, createPerson, type NewAccount } from './create-account.ts'
import type { AccountsTables } from './tables.ts'

/** The first account of a new store, by its id; undefined where there is one, or somebody was quicker. */
export async function createFirstAccount(
  db: Kysely<AccountsTables>,
  ledger: Ledger,
  input: NewAccount,
  deed: Deed,
): Promise<string | undefined> {
  const any = await db.selectFrom('account').select('id').limit(1).executeTakeFirst()
  if (any) return undefined
  try {
    return await db.transaction().execute(async (tx) => {
      // Of replicas that start at the same moment one makes this person, and the others fail here.
      const personId = await createPerson(tx, input, deed)
      return createAccountOf(tx, ledger, personId, deed)
    })
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}
