import type { Kysely } from 'kysely'
import type { Clock } from '#platform/clock.ts'
import { fingerprint } from '../keys/sealing.ts'
import type { IdentityTables } from '../tables.ts'

/**
 * Which addresses had the free credit, so that it is given once however often somebody deletes their
 * account and comes back. Only keyed hashes are kept: who is gone is not on a list.
 */
export interface CreditedAddresses {
  /** True where the credit is this person's: they are the first with the address, or ask again. */
  claim(email: string, personId: string): Promise<boolean>
}

export interface CreditedAddressesOptions {
  readonly db: Kysely<IdentityTables>
  readonly clock: Clock
  readonly secret: string
}

export function createCreditedAddresses(options: CreditedAddressesOptions): CreditedAddresses {
  const { db, clock, secret } = options
  return {
    async claim(email, personId) {
      const key = fingerprint(secret, 'credited address', email.toLowerCase())
      await db
        .insertInto('credited_address')
        .values({ fingerprint: key, person_id: personId, created_at: clock.nowMs() })
        .onConflict((conflict) => conflict.column('fingerprint').doNothing())
        .execute()
      const first = await db
        .selectFrom('credited_address')
        .select('person_id')
        .where('fingerprint', '=', key)
        .executeTakeFirstOrThrow()
      return first.person_id === personId
    },
  }
}
