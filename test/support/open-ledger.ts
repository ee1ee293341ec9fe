import { join } from 'node:path'
import type { TestContext } from 'node:test'
import {
  createLedger,
  ledgerMigrations,
  type Charge,
  type Charged,
  type Crediting,
  type Ledger,
} from '#ledger/index.ts'
import { createLog } from '#platform/log.ts'
import type { Funds } from '#platform/funds.ts'
import { nano } from '#platform/money.ts'
import { isUniqueViolation, migrate, type Engine, type Store } from '#platform/store/index.ts'
import { openEmptyStore, openStoreAt, runBeside, type OpenedStore } from './each-engine.ts'
import { createManualClock } from './manual-clock.ts'

interface CreditOptions {
  readonly kind?: 'deposit' | 'grant'
  readonly reference?: string
}

export type OpenLedger<Which extends Engine = Engine> = Awaited<
  ReturnType<typeof openLedgerOn<Which>>
>

/** The real ledger on a real store of its own. */
export function openLedger(t: Pick<TestContext, 'after'>): Promise<OpenLedger<'sqlite'>>
export function openLedger<Which extends Engine>(
  t: Pick<TestContext, 'after'>,
  engine: Which,
): Promise<OpenLedger<Which>>
export async function openLedger(t: Pick<TestContext, 'after'>, engine: Engine = 'sqlite') {
  return openLedgerOn(t, await openEmptyStore(t, engine))
}

/** Another ledger on the same store, as another replica has it. PostgreSQL only. */
export async function openSecondLedger(
  t: Pick<TestContext, 'after'>,
  { databaseUrl }: OpenLedger<'postgres'>,
): Promise<OpenLedger<'postgres'>> {
  return openLedgerOn(t, (await openStoreAt(t, databaseUrl)) as OpenedStore<'postgres'>)
}

async function openLedgerOn<Which extends Engine>(
  t: Pick<TestContext, 'after'>,
  opened: OpenedStore<Which>,
) {
  const { store, directory, databaseUrl } = opened
  t.after(() => store.close())
  await migrate(store, [ledgerMigrations])
  const clock = createManualClock()
  const spillPath = join(directory, 'spill.jsonl')
  const ledger = createLedger({ store, clock, log: createLog('silent'), spillPath })
  t.after(() => ledger.close())

  const credit = (
    accountId: string,
    amount: number,
    { kind = 'deposit', reference = `credit:${accountId}` }: CreditOptions = {},
  ): Promise<Crediting> => {
    const wanted = { accountId, kind, amount: nano(amount), reference, atMs: clock.nowMs() }
    return inTransaction(store, (tx) => ledger.credit(tx, wanted))
  }

  return {
    directory,
    databaseUrl,
    store,
    clock,
    ledger,
    credit,
    charge: (charge: Charge) => bookCharge(ledger, charge),
    async fundsOf(accountId: string): Promise<Funds> {
      const funds = (await ledger.funds([accountId])).get(accountId)
      if (!funds) throw new Error(`no funds of ${accountId}`)
      return funds
    },
    /** Makes an account with so much on it, paid in. */
    async open(accountId: string, amount = 0): Promise<void> {
      await store.db.transaction().execute((tx) => ledger.openBalance(tx, accountId))
      if (amount > 0) await credit(accountId, amount)
    },
    /** Opens the store beside the service, as whoever tampers with it would. */
    tamper: (...statements: readonly string[]) => runBeside(opened, statements),
  }
}

/** As the accounts room does it: the one that lost looks again. */
async function inTransaction<Result>(
  { db }: Store,
  work: (tx: Parameters<Ledger['credit']>[0]) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return db.transaction().execute(work)
  }
}

/** Charges on a store that is there: what comes of it is booked, not spilled. */
export async function bookCharge(ledger: Ledger, charge: Charge): Promise<Charged> {
  const charging = await ledger.charge(charge)
  if (charging.kind !== 'booked') throw new Error(`${charge.requestId} was ${charging.kind}`)
  return charging.charged
}

/** A charge as chat makes them, with what matters to the test. */
export function makeCharge(accountId: string, requestId: string, changes: Partial<Charge> = {}) {
  const charge: Charge = {
    requestId,
    accountId,
    keyId: 'key_1',
    brand: 'air',
    model: 'svc-air-v1',
    promptTokens: 10,
    completionTokens: 5,
    usageSource: 'upstream',
    cost: nano(100),
    finishReason: 'stop',
    ended: 'completed',
    createdAtMs: 1_000,
    durationMs: 20,
    firstTokenMs: 10,
    ...changes,
  }
  return charge
}
