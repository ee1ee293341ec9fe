import type { Transaction } from 'kysely'
import { takeAccount } from './account.ts'
import type { Deed } from './audit.ts'
import { createKey, type CreatedKey, type WantedKey } from './keys.ts'
import { rollKey, type Rolling, type RollWanted } from './roll-key.ts'
import type { AccountsTables } from './tables.ts'

/** Far more than anybody can tell apart. */
export const MAX_LIVE_KEYS = 100

/** A key that a person makes for their own account; undefined where it has as many as it may. */
export async function createOwnKey(
  tx: Transaction<AccountsTables>,
  wanted: WantedKey,
  deed: Deed,
): Promise<CreatedKey | undefined> {
  const live = await countLiveKeys(tx, wanted.accountId, deed.atMs)
  return live < MAX_LIVE_KEYS ? createKey(tx, wanted, deed) : undefined
}

/** A key that a person rolls, of whose account as many stay live as may. */
export async function rollOwnKey(
  tx: Transaction<AccountsTables>,
  wanted: RollWanted,
  deed: Deed,
): Promise<Rolling | { readonly kind: 'too_many' }> {
  const live = await countLiveKeys(tx, wanted.accountId, deed.atMs)
  const after = wanted.overlapMs > 0 ? live + 1 : live
  return after > MAX_LIVE_KEYS ? { kind: 'too_many' } : rollKey(tx, wanted, deed)
}

/** Takes the account's row, so that two at the same moment do not both find the last place. */
async function countLiveKeys(
  tx: Transaction<AccountsTables>,
  accountId: string,
  nowMs: number,
): Promise<number> {
  await takeAccount(tx, accountId)
  const { live } = await tx
    .selectFrom('api_key')
    .select((expression) => expression.fn.countAll<number>().as('live'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'secret')
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
    .executeTakeFirstOrThrow()
  return live
}
