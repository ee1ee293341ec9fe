import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { Engine } from '#platform/store/index.ts'
import { recordAudit, type Deed, type Doer } from './audit.ts'
import type { AccountsTables } from './tables.ts'

/** Whose accounts and keys end, for whoever keeps copies of them. */
export interface RemovedPerson {
  readonly accountIds: readonly string[]
  readonly keyHashes: readonly string[]
}

/**
 * Forgets who a person was: address, name and picture go, accounts are suspended, keys revoked and their
 * names forgotten, invitations deleted, and of the audit log how they signed in and where they were. The rows stay that the
 * books refer to.
 */
export async function removePerson(
  tx: Transaction<AccountsTables>,
  engine: Engine,
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
  await tx
    .updateTable('api_key')
    .set({ name: FORGOTTEN_NAME })
    .where('account_id', 'in', accountIds.length > 0 ? accountIds : [''])
    .execute()
  // Of others' accounts they go once they are over: whom else these invited is not for us to end.
  await tx
    .deleteFrom('invitation')
    .where('account_id', 'in', accountIds.length > 0 ? accountIds : [''])
    .execute()
  await forgetDeeds(tx, engine, personId, accountIds)
  // Where they were when they asked for it is forgotten with the rest.
  const actor = typeof deed.actor === 'string' ? deed.actor : dropPlace(deed.actor, personId)
  await recordAudit(tx, { ...deed, actor }, 'person.removed', null, { person_id: personId })
  return { accountIds, keyHashes: keys.map(({ hash }) => hash) }
}

/** What a key was called is told nobody: a name may be anything. */
const FORGOTTEN_NAME = 'deleted'

/** What they did to keys, money and limits stays, without where they were and what they called it. */
async function forgetDeeds(
  tx: Transaction<AccountsTables>,
  engine: Engine,
  personId: string,
  accountIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('audit')
    .where('person_id', '=', personId)
    .where('account_id', 'is', null)
    .where('acted_as', '=', 'person')
    .execute()
  await tx
    .updateTable('audit')
    .set({ address: null, user_agent: null })
    .where('actor', '=', personId)
    .where('address', 'is not', null)
    .execute()
  if (accountIds.length === 0) return
  await tx
    .updateTable('audit')
    .set({ details: withoutName[engine] })
    .where('account_id', 'in', accountIds)
    .where(sql<boolean>`action like 'key.%'`)
    .execute()
}

const withoutName: Record<Engine, RawBuilder<string>> = {
  sqlite: sql`json_remove(details, '$.name')`,
  postgres: sql`(details::jsonb - 'name')::text`,
}

function dropPlace(doer: Doer, personId: string): Doer {
  return doer.id === personId ? { ...doer, address: null, userAgent: null } : doer
}

/** True for somebody who is gone, of whom there is only what the books refer to. */
export function isRemoved({ id, email }: { readonly id: string; readonly email: string }): boolean {
  return email === writeRemovedEmail(id)
}

function writeRemovedEmail(personId: string): string {
  return `${personId}@removed.invalid`
}
