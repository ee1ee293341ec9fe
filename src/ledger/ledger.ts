import type { Clock } from '#platform/clock.ts'
import { utcDay } from '#platform/clock.ts'
import type { Funds } from '#platform/funds.ts'
import { ZERO } from '#platform/money.ts'
import {
  withTables,
  type AnyTransaction,
  type Procedure,
  type Store,
} from '#platform/store/index.ts'
import type { Charge, Charged } from './charge.ts'
import type { ChargeBatch } from './commit-charges.ts'
import { bookCredit, type Credit, type Crediting } from './credit.ts'
import { createGroupCommit } from './group-commit.ts'
import { selectFunds, selectReceipts } from './queries.ts'
import type { LedgerTables, ReceiptTable } from './tables.ts'
import { verifyBooks, type Verification } from './verify.ts'

/** The accounts' money. Everything that a promise of it resolves to is durable. */
export interface Ledger {
  /** Gives a new account its empty balance. */
  openBalance(tx: AnyTransaction, accountId: string): Promise<void>
  /** Adds a deposit or a grant within the caller's transaction, once for each reference. */
  credit(tx: AnyTransaction, credit: Credit): Promise<Crediting>
  /** Commits a charge with its receipt, once for each request id. */
  charge(charge: Charge): Promise<Charged>
  funds(accountIds: readonly string[]): Promise<Map<string, Funds>>
  receipts(
    accountId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<ReceiptTable[]>
  verify(): Promise<Verification>
  /** Resolves when every charge under way has been committed. */
  idle(): Promise<void>
}

/** A commit of this many charges takes a few milliseconds: the next one waits no longer than that. */
const MAX_BATCH = 512

const commitCharges: Procedure<ChargeBatch, Charged[]> = {
  url: new URL('./commit-charges.ts', import.meta.url),
}

export function createLedger({ store, clock }: { store: Store; clock: Clock }): Ledger {
  const reads = withTables<LedgerTables>(store.reads)
  const charges = createGroupCommit<Charge, Charged>((batch) => {
    const atMs = clock.nowMs()
    return store.run(commitCharges, { charges: batch, atMs, day: utcDay(atMs) })
  }, MAX_BATCH)
  return {
    async openBalance(tx, accountId) {
      await withTables<LedgerTables>(tx)
        .insertInto('balance')
        .values({
          account_id: accountId,
          balance_nano: ZERO,
          deposits_nano: ZERO,
          spent_day: '',
          spent_nano: ZERO,
          version: 1,
        })
        .execute()
    },
    credit: (tx, credit) => bookCredit(withTables<LedgerTables>(tx), credit),
    charge: (charge) => charges.add(charge),
    funds: (accountIds) => selectFunds(reads, accountIds),
    receipts: (accountId, page) => selectReceipts(reads, accountId, page),
    verify: () => verifyBooks(reads),
    idle: () => charges.idle(),
  }
}
