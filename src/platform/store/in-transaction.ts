import type { Kysely, Transaction } from 'kysely'
import { isUniqueViolation } from './availability.ts'

/** Where two make the same unique row at once, the one that lost looks again, and finds it. */
export async function inTransaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return db.transaction().execute(work)
  }
}
