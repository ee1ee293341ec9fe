import type { Transaction } from 'kysely'
import { recordAudit, type Deed } from './audit.ts'
import type { AccountsTables } from './tables.ts'

/** Whose accounts and keys end, for whoever keeps copies of them. */
export interface RemovedPerson {
  readonly accountIds: readonly string[]
  readonly keyHashes: readonly string[]
}

/**
 * Forgets who a person was: address, name and picture go, accounts are suspended and keys revoked.
 * The rows stay, for the books refer to them.
 */
export async function removePerson(
  tx: Transaction<AccountsTables>,
  personId: string,
  deed: Deed,
): Promise<RemovedPerson> {
  const forgotten = {
    email: writeRemovedEmail(personId),
    email_verified: 0,
    name: null,
    picture: null,
    role: 'customer',
    two_factor_enabled: 0,
    updated_at: deed.atMs,
  } as const
  await tx.updateTable('person').set(forgotten).where('id', '=', personId).execute()
  const accounts = await tx
    .updateTable('account')
    .set({ suspended: 1 })
    .where('person_id', '=', personId)
    .returning('id')
    .execute()
  const accountIds = accounts.map(({ id }) => id)
  const keys = await tx
    .updateTable('api_key')
    .set({ revoked_at: deed.atMs })
    .where('account_id', 'in', accountIds.length > 0 ? accountIds : [''])
    .where('revoked_at', 'is', null)
    .returning('hash')
    .execute()
  await recordAudit(tx, deed, 'person.removed', null, { person_id: personId })
  return { accountIds, keyHashes: keys.map(({ hash }) => hash) }
}

/** True for somebody who is gone, of whom there is only what the books refer to. */
export function isRemoved({ id, email }: { readonly id: string; readonly email: string }): boolean {
  return email === writeRemovedEmail(id)
}

function writeRemovedEmail(personId: string): string {
  return `${personId}@removed.invalid`
}
