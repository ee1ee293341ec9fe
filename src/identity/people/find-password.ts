import type { Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/** The hash of a person's password; undefined where they have none, and sign in in other ways. */
export async function findPasswordHash(
  db: Kysely<IdentityTables>,
  personId: string,
): Promise<string | undefined> {
  const known = await db
    .selectFrom('credential')
    .select('password')
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst()
  return known?.password || undefined
}
