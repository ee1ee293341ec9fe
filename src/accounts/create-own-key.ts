import type { Transaction } from 'kysely'
import type { Deed } from './audit.ts'
import { createKey, type CreatedKey } from './keys.ts'
import type { AccountsTables } from './tables.ts'

/** Far more than anybody can tell apart. */
export const MAX_LIVE_KEYS = 100

/** A key that a person makes for their own account; undefined where it has as many as it may. */
export async function createOwnKey(
  tx: Transaction<AccountsTables>,
  wanted: { readonly accountId: string; readonly name: string; readonly serviceName: string },
  deed: Deed,
): Promise<CreatedKey | undefined> {
  const { accountId } = wanted
  // Takes the account's row, so that two at the same moment do not both find the last place.
  await tx.updateTable('account').set({ id: accountId }).where('id', '=', accountId).execute()
  const { live } = await tx
    .selectFrom('api_key')
    .select((expression) => expression.fn.countAll<number>().as('live'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'secret')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return live < MAX_LIVE_KEYS ? createKey(tx, wanted, deed) : undefined
}
