import { sql, type Kysely } from 'kysely'
import type { AccountsTables } from './tables.ts'

/** In one statement: on the embedded store a charge waits for it. */
const BATCH = 500
/** A sweep ends; what is left then waits for the next one. */
const MAX_BATCHES = 200

const DAY_MS = 86_400_000
/** How long is known where something was done from, and who signed in and out when. */
export const FORGET_ADDRESSES_MS = 365 * DAY_MS

/**
 * Deletes entries of signing in and out that are older than a year, and forgets the addresses and
 * browsers of the others. What was done to keys, money and limits stays with the books.
 */
export async function forgetAudit(db: Kysely<AccountsTables>, nowMs: number): Promise<void> {
  const old = () =>
    db
      .selectFrom('audit')
      .select('id')
      .where('address', 'is not', null)
      .where('at', '<', nowMs - FORGET_ADDRESSES_MS)
      .limit(BATCH)
  await inBatches(async () => {
    const sessions = old().where(sql<boolean>`action like 'session.%'`)
    const result = await db.deleteFrom('audit').where('id', 'in', sessions).executeTakeFirst()
    return result.numDeletedRows
  })
  await inBatches(async () => {
    const forgotten = { address: null, user_agent: null }
    const update = db.updateTable('audit').set(forgotten).where('id', 'in', old())
    return (await update.executeTakeFirst()).numUpdatedRows
  })
}

async function inBatches(forgetSome: () => Promise<bigint>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    if ((await forgetSome()) < BigInt(BATCH)) return
  }
}
