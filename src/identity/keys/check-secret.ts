import type { Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'
import { fingerprint } from './sealing.ts'

/** The service was started with another secret than the one that the store's rows are encrypted with. */
export class WrongSecret extends Error {
  constructor() {
    super(
      'PARLEY_SECRET is not the secret that this store was set up with: people could not sign in, and ' +
        "tokens could not be signed. Set it to that one; where it was generated, it is in the file 'secret' " +
        'of the data directory of the first start. All replicas need the same.',
    )
    this.name = 'WrongSecret'
  }
}

/** Remembers which secret is used at the first start, and holds every later one to it. */
export async function checkSecret(db: Kysely<IdentityTables>, secret: string): Promise<void> {
  const own = fingerprint(secret, 'secret check', 'parley')
  await db
    .insertInto('secret_check')
    .values({ id: 'secret', fingerprint: own })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const kept = await db.selectFrom('secret_check').select('fingerprint').executeTakeFirstOrThrow()
  if (kept.fingerprint !== own) throw new WrongSecret()
}
