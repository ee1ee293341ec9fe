import { DatabaseSync } from 'node:sqlite'
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
import { migrate, openSqliteStore } from '#platform/store/index.ts'
import { createManualClock } from './manual-clock.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

interface CreditOptions {
  readonly kind?: 'deposit' | 'grant'
  readonly reference?: string
}

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>

/** The real ledger on a real store of its own. */
export async function openLedger(t: Pick<TestContext, 'after'>) {
  const directory = makeTemporaryDirectory(t)
  const store = await openSqliteStore(directory)
  t.after(() => store.close())
  await migrate(store, [ledgerMigrations])
  const clock = createManualClock()
  const spillPath = join(directory, 'spill.jsonl')
  const ledger = createLedger({ store, clock, log: createLog('silent'), spillPath })
  t.after(() => ledger.close())

  function credit(
    accountId: string,
    amount: number,
    { kind = 'deposit', reference = `credit:${accountId}` }: CreditOptions = {},
  ): Promise<Crediting> {
    const atMs = clock.nowMs()
    return store.db
      .transaction()
      .execute((tx) =>
        ledger.credit(tx, { accountId, kind, amount: nano(amount), reference, atMs }),
      )
  }

  async function fundsOf(accountId: string): Promise<Funds> {
    const funds = (await ledger.funds([accountId])).get(accountId)
    if (!funds) throw new Error(`no funds of ${accountId}`)
    return funds
  }

  return {
    directory,
    store,
    clock,
    ledger,
    credit,
    fundsOf,
    charge: (charge: Charge) => bookCharge(ledger, charge),
    /** Makes an account with so much on it, paid in. */
    async open(accountId: string, amount = 0): Promise<void> {
      await store.db.transaction().execute((tx) => ledger.openBalance(tx, accountId))
      if (amount > 0) await credit(accountId, amount)
    },
    /** Opens the file beside the service, as whoever tampers with it would. */
    tamper(...statements: readonly string[]): void {
      const database = new DatabaseSync(join(directory, 'parley.db'), { timeout: 5_000 })
      for (const statement of statements) database.exec(statement)
      database.close()
    },
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
