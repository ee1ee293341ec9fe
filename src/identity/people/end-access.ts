import type { Kysely } from 'kysely'
import type { IdentityTables } from '../tables.ts'

/**
 * Ends what others may have of a person: what apps hold (codes, tokens, consents), links in mails that
 * were not followed, and sign-ins that wait for a second factor. Sessions are ended by whoever knows
 * which of them stays.
 */
export async function endAccess(db: Kysely<IdentityTables>, personId: string): Promise<void> {
  await db.deleteFrom('oidc_artifact').where('account_id', '=', personId).execute()
  await endLinks(db, personId)
}

/** Ends links that a person was given: by mail, to an address that need not be theirs any more, or by an operator. */
export async function endLinks(db: Kysely<IdentityTables>, personId: string): Promise<void> {
  await db.deleteFrom('verification').where('value', '=', personId).execute()
  await endSignInLinks(db, personId)
}

/** Ends links that would sign a person in. */
export async function endSignInLinks(db: Kysely<IdentityTables>, personId: string): Promise<void> {
  await db.deleteFrom('sign_in_link').where('person_id', '=', personId).execute()
}
