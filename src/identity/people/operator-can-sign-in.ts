import type { Kysely } from 'kysely'
import type { Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'

/** More operators than anybody has. */
const MAX_OPERATORS = 200

/** True where an operator is signed in somewhere, or has what it takes to sign in again. */
export async function operatorCanSignIn(
  db: Kysely<IdentityTables>,
  persons: Persons,
  nowMs: number,
): Promise<boolean> {
  const operators = await persons.list({ role: 'operator' }, MAX_OPERATORS)
  const ids = operators.map(({ id }) => id)
  if (ids.length === 0) return false
  const found = await db
    .selectFrom('session')
    .select('user_id')
    .where('user_id', 'in', ids)
    .where('expires_at', '>', nowMs)
    .union(
      db
        .selectFrom('credential')
        .select('user_id')
        .where('user_id', 'in', ids)
        .where('password', 'is not', null),
    )
    .union(db.selectFrom('passkey').select('user_id').where('user_id', 'in', ids))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
