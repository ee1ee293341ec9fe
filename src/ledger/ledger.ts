import type { Clock } from '#platform/clock.ts'
import { utcDay } from '#platform/clock.ts'
import { describeError } from '#platform/describe-error.ts'
import type { Funds, KeySpend } from '#platform/funds.ts'
import type { Log } from '#platform/log.ts'
import type { NanoEuro } from '#platform/money.ts'
import { createGroupCommit } from '#platform/group-commit.ts'
import {
  withTables,
  type AnyTransaction,
  type Procedure,
  type Store,
} from '#platform/store/index.ts'
import { bookSpilled } from './book-spilled.ts'
import type { Charge, Charged, Charging } from './charge.ts'
import type { ChargeBatch } from './charge-batch.ts'
import { createCommitOnPostgres } from './commit-on-postgres.ts'
import { selectDayTotals, type DayPlace } from './days.ts'
import { bookCredit, type Credit, type Crediting } from './credit.ts'
import { selectEntries, type Entry, type EntryPage } from './entries.ts'
import { selectMovements, type Movement, type MovementPage } from './movements.ts'
import { openBalance } from './open-balance.ts'
import { createPatientCommit, SpillFailed } from './patient-commit.ts'
import {
  selectCourses,
  selectFunds,
  selectKeysSpent,
  selectKeySpend,
  selectReceipts,
  type Course,
} from './queries.ts'
import { bookReversal, readBalance, type Reversal } from './reversal.ts'
import {
  findReceipt,
  searchReceipts,
  type FoundReceipts,
  type ReceiptSearch,
} from './search-receipts.ts'
import { createSpillFile } from './spill-file.ts'
import type { AccountDayTable, LedgerTables, ReceiptTable } from './tables.ts'
import { createUpkeep } from './upkeep.ts'
import { selectLastDays, selectUsage, type Usage, type UsageRange } from './usage.ts'
import { verifyBooks, type Verification } from './verify.ts'

/** The accounts' money. Everything that a promise of it resolves to is durable. */
export interface Ledger {
  /** Gives a new account its empty balance. */
  openBalance(tx: AnyTransaction, accountId: string): Promise<void>
  /** Adds a deposit or a grant within the caller's transaction, once for each reference. */
  credit(tx: AnyTransaction, credit: Credit): Promise<Crediting>
  /** Books what becomes of a deposit; false where its reference was booked before. */
  reverse(tx: AnyTransaction, reversal: Reversal): Promise<boolean>
  /** Within a transaction that may have changed it; below zero after some reversals. */
  readBalance(tx: AnyTransaction, accountId: string): Promise<NanoEuro>
  /** Makes a charge durable with its receipt, once for each request id. */
  charge(charge: Charge): Promise<Charging>
  /** False while the store is away: nothing new should be begun. */
  available(): boolean
  /**
   * Called at the start: books what an earlier run had to spill, makes room for what comes. Answers how
   * many of the spilled charges could not be booked, and why in the log.
   */
  prepare(): Promise<{ readonly left: number }>
  funds(accountIds: readonly string[]): Promise<Map<string, Funds>>
  /** What was charged to a key on its account's last day with a charge. The account must exist. */
  keySpend(key: { readonly accountId: string; readonly keyId: string }): Promise<KeySpend>
  /** What was charged today to those of the account's keys that were charged anything. */
  keysSpent(accountId: string, today: string): Promise<Map<string, NanoEuro>>
  /** Funds, and to what they were last raised. */
  courses(accountIds: readonly string[]): Promise<Map<string, Course>>
  receipts(
    accountId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<ReceiptTable[]>
  searchReceipts(accountId: string, search: ReceiptSearch): Promise<FoundReceipts>
  /** Undefined where the account has no such request. */
  findReceipt(accountId: string, requestId: string): Promise<ReceiptTable | undefined>
  /** Sums by day and brand, and by key; of keys the dearest, so many at most. */
  usage(accountId: string, range: UsageRange, maxKeys: number): Promise<Usage>
  /** The UTC day on which each of these keys was last charged for. */
  lastDays(accountId: string, keyIds: readonly string[]): Promise<Map<string, string>>
  /** An account's statement, newest first: its amounts add up to the balance. */
  movements(accountId: string, page: MovementPage): Promise<Movement[]>
  /** An account's totals of each day, brand and key, newest first. */
  dayTotals(
    accountId: string,
    page: { readonly before: DayPlace | undefined; readonly limit: number },
  ): Promise<AccountDayTable[]>
  /** The books as bookkeepers read them, oldest first. */
  entries(page: EntryPage): Promise<Entry[]>
  verify(): Promise<Verification>
  /** Resolves when every charge under way is durable. */
  idle(): Promise<void>
  close(): void
}

/** A commit of this many charges takes a few milliseconds: the next one waits no longer than that. */
const MAX_BATCH = 512

export interface LedgerOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Where charges go that the store cannot take. */
  readonly spillPath: string
  /** How long a reply waits for the store before its charge is spilled. */
  readonly patienceMs?: number
  /** SQL of a step in each commit of charges, on PostgreSQL alone: see commit-on-postgres.ts. */
  readonly alongside?: string
  /** How many whole months before the current one keep their receipts; all where it is not given. PostgreSQL only. */
  readonly retentionMonths?: number | undefined
  /**
   * Told whose charges have become durable, while replies wait for it: it must be quick, and what it
   * throws is a bug that is logged.
   */
  readonly onCharged?: (accountIds: readonly string[]) => void
}

const PATIENCE_MS = 10_000
const RETRY_MS = 100

export function createLedger(options: LedgerOptions): Ledger {
  const { store, clock, log, spillPath, patienceMs = PATIENCE_MS } = options
  const reads = withTables<LedgerTables>(store.reads)
  const spill = createSpillFile(spillPath)
  const { retentionMonths } = options
  const upkeep =
    store.engine === 'postgres' ? createUpkeep({ store, log, retentionMonths }) : undefined

  const commitBatch = createCommit(store, options.alongside)

  async function commit(charges: readonly Charge[]): Promise<Charged[]> {
    const atMs = clock.nowMs()
    const charged = await commitBatch({ charges, atMs, day: utcDay(atMs) })
    tell(options, charges)
    return charged
  }

  const patient = createPatientCommit({ commit, spill, log, patienceMs, retryMs: RETRY_MS })
  const charges = createGroupCommit<Charge, Charging>((batch) => patient.commit(batch), {
    maxBatch: MAX_BATCH,
    concernsAll: (error) => error instanceof SpillFailed,
  })
  return {
    openBalance: (tx, accountId) => openBalance(withTables<LedgerTables>(tx), accountId),
    credit: (tx, credit) => bookCredit(withTables<LedgerTables>(tx), credit),
    reverse: (tx, reversal) => bookReversal(withTables<LedgerTables>(tx), reversal),
    readBalance: (tx, accountId) => readBalance(withTables<LedgerTables>(tx), accountId),
    charge: (charge) => charges.add(charge),
    available: () => patient.available(),
    async prepare() {
      const { left } = await bookSpilled(spill, commit, log)
      if (left > 0) patient.keepFile()
      await upkeep?.begin()
      return { left }
    },
    funds: (accountIds) => selectFunds(reads, accountIds),
    keySpend: (key) => selectKeySpend(reads, key),
    keysSpent: (accountId, today) => selectKeysSpent(reads, accountId, today),
    courses: (accountIds) => selectCourses(reads, accountIds),
    receipts: (accountId, page) => selectReceipts(reads, accountId, page),
    searchReceipts: (accountId, search) => searchReceipts(reads, accountId, search),
    findReceipt: (accountId, requestId) => findReceipt(reads, accountId, requestId),
    usage: (accountId, range, maxKeys) => selectUsage(reads, accountId, range, maxKeys),
    lastDays: (accountId, keyIds) => selectLastDays(reads, accountId, keyIds),
    movements: (accountId, page) => selectMovements(reads, store.engine, accountId, page),
    dayTotals: (accountId, page) => selectDayTotals(reads, accountId, page),
    entries: (page) => selectEntries(reads, store.engine, page),
    verify: () => verifyBooks(reads),
    idle: () => charges.idle(),
    close() {
      patient.close()
      upkeep?.close()
    },
  }
}

/** A charge that is durable stays so, whatever becomes of telling it. */
function tell({ onCharged, log }: LedgerOptions, charges: readonly Charge[]): void {
  try {
    onCharged?.(charges.map(({ accountId }) => accountId))
  } catch (error) {
    log.error({ error: describeError(error) }, 'who listens to charges has failed')
  }
}

const onSqlite: Procedure<ChargeBatch, Charged[]> = {
  url: new URL('./commit-on-sqlite.ts', import.meta.url),
}

function createCommit(
  store: Store,
  alongside: string | undefined,
): (batch: ChargeBatch) => Promise<Charged[]> {
  switch (store.engine) {
    case 'sqlite':
      return (batch) => store.run(onSqlite, batch)
    case 'postgres':
      return createCommitOnPostgres(store, alongside)
  }
}
