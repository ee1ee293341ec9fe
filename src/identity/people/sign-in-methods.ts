import type { Kysely } from 'kysely'
import type { IdentityTables, PasskeyTable, SignInLinkTable } from '../tables.ts'

/** By what a person can sign in, and nothing that would. */
export interface SignInMethods {
  readonly password: { readonly createdAtMs: number; readonly changedAtMs: number } | undefined
  readonly passkeys: readonly Omit<PasskeyTable, 'user_id' | 'public_key' | 'counter'>[]
  /** An authenticator app; not verified where setting it up was never ended. */
  readonly authenticator: { readonly verified: boolean } | undefined
  readonly links: readonly Omit<SignInLinkTable, 'token_hash' | 'person_id'>[]
}

/** Nobody has more; a list has to end. */
const MAX_LISTED = 1_000

export async function selectSignInMethods(
  db: Kysely<IdentityTables>,
  personId: string,
): Promise<SignInMethods> {
  const [password, passkeys, authenticator, links] = await Promise.all([
    db
      .selectFrom('credential')
      .select(['created_at', 'updated_at'])
      .where('user_id', '=', personId)
      .where('password', 'is not', null)
      .executeTakeFirst(),
    db
      .selectFrom('passkey')
      .select(['id', 'name', 'credential_id', 'device_type', 'backed_up'])
      .select(['transports', 'aaguid', 'created_at'])
      .where('user_id', '=', personId)
      .limit(MAX_LISTED)
      .execute(),
    db
      .selectFrom('two_factor')
      .select('verified')
      .where('user_id', '=', personId)
      .executeTakeFirst(),
    db
      .selectFrom('sign_in_link')
      .select(['id', 'made_by', 'makes_operator', 'created_at', 'expires_at', 'used_at'])
      .where('person_id', '=', personId)
      .limit(MAX_LISTED)
      .execute(),
  ])
  return {
    password: password && {
      createdAtMs: password.created_at,
      changedAtMs: password.updated_at,
    },
    passkeys,
    authenticator: authenticator && { verified: authenticator.verified === 1 },
    links,
  }
}
