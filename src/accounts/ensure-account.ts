import type { Transaction } from 'kysely'
import type { Ledger } from '#ledger/index.ts'
import type { Deed } from './audit.ts'
import { giveFreeCredit, openAccount } from './create-account.ts'
import type { MemberPlace } from './member.ts'
import type { AccountsTables } from './tables.ts'

/**
 * Gives a person their first account, and with `credit` the free credit on it; returns its id. Can be
 * called again and again: what is there already stays as it is.
 */
export async function ensureAccount(
  tx: Transaction<AccountsTables>,
  ledger: Ledger,
  { personId, credit }: { readonly personId: string; readonly credit: boolean },
  deed: Deed,
): Promise<string> {
  // Takes the person's row, so that of two at the same moment one opens the account.
  await tx.updateTable('person').set({ id: personId }).where('id', '=', personId).execute()
  const known = await tx
    .selectFrom('account')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known) await ensureOwner(tx, { accountId: known.id, personId }, deed)
  const accountId = known?.id ?? (await openAccount(tx, ledger, personId, deed))
  if (credit) await giveFreeCredit(tx, ledger, { personId, accountId }, deed)
  return accountId
}

/** An account that a replica of an older version made, while it was replaced, has no member yet. */
async function ensureOwner(
  tx: Transaction<AccountsTables>,
  { accountId, personId }: MemberPlace,
  { atMs }: Deed,
): Promise<void> {
  await tx
    .insertInto('account_member')
    .values({ account_id: accountId, person_id: personId, role: 'owner', created_at: atMs })
    .onConflict((conflict) => conflict.columns(['account_id', 'person_id']).doNothing())
    .execute()
}
