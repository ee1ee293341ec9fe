import type { Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/**
 * Ends what others may have of a person: what apps hold (codes, tokens, consents), links in mails that
 * were not followed, and sign-ins that wait for a second factor. Sessions are ended by whoever knows
 * which of them stays.
 */
export async function endAccess(db: Kysely<IdentityTables>, personId: string): Promise<void> {
  await db.deleteFrom('oidc_artifact').where('account_id', '=', personId).execute()
  await db.deleteFrom('verification').where('value', '=', personId).execute()
}
