import type { Transaction } from 'kysely'
import { ZERO } from '#platform/money.ts'
import type { LedgerTables } from './tables.ts'

export async function openBalance(tx: Transaction<LedgerTables>, accountId: string): Promise<void> {
  await tx
    .insertInto('balance')
    .values({
      account_id: accountId,
      balance_nano: ZERO,
      deposits_nano: ZERO,
      spent_day: '',
      spent_nano: ZERO,
      version: 1,
      raises: 0,
      raised_to_nano: ZERO,
    })
    .execute()
}
