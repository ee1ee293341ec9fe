import type { Kysely, Transaction } from 'kysely'
import { isUniqueViolation } from '#platform/store/index.ts'
import type { AccountsTables } from './tables.ts'

/** Where two make the same unique row at once, the one that lost looks again, and finds it. */
export async function inTransaction<Result>(
  db: Kysely<AccountsTables>,
  work: (tx: Transaction<AccountsTables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return db.transaction().execute(work)
  }
}
