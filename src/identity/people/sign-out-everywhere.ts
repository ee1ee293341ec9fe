import type { Kysely } from 'kysely'
import { recordAudit, type Deed } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { endSignInLinks } from './end-access.ts'

/** Ends all that a person is signed in to: their sessions here, links to more of them, and what apps hold. */
export async function signOutEverywhere(
  db: Kysely<IdentityTables>,
  personId: string,
  deed: Deed,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('session').where('user_id', '=', personId).execute()
    await tx.deleteFrom('oidc_artifact').where('account_id', '=', personId).execute()
    await endSignInLinks(tx, personId)
    await recordAudit(tx, deed, 'person.signed_out', null, { person_id: personId })
  })
}
