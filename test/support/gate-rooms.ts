import { join } from 'node:path'
import { createAccounts, type Accounts } from '#accounts/index.ts'
import {
  createMemoryGate,
  createPostgresGate,
  SETTLE_ALONGSIDE,
  type Allowance,
  type Gate,
  type Hold,
} from '#gate/index.ts'
import { createLedger, type Charge, type Charged, type Ledger } from '#ledger/index.ts'
import type { Clock } from '#platform/clock.ts'
import { createLog } from '#platform/log.ts'
import { nano } from '#platform/money.ts'
import { migrate, type Engine } from '#platform/store/index.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { openEmptyStore, openStoreAt, type OpenedStore } from './each-engine.ts'
import { bookCharge, makeCharge } from './open-ledger.ts'
import type { Scope } from './service.ts'

/** The rooms that admit and charge, wired as the app does it: one process of the service. */
export interface Replica {
  readonly opened: OpenedStore
  readonly gate: Gate
  readonly ledger: Ledger
  readonly accounts: Accounts
  /** What is still held is then for others to end. The store is left open. */
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** Without one the gate on PostgreSQL goes by the database's. */
  readonly clock: Clock
  readonly gateClock?: Clock | undefined
  readonly renewEveryMs?: number
}

/** A store with the tables of those rooms; closed when the test is over. */
export async function openGateStore(scope: Scope, engine: Engine): Promise<OpenedStore> {
  const opened = await openEmptyStore(scope, engine)
  scope.after(() => opened.store.close())
  await migrate(opened.store, MIGRATIONS)
  return opened
}

/** The same store for one more replica. PostgreSQL only. */
export async function openGateStoreAgain(
  scope: Scope,
  { databaseUrl }: OpenedStore,
): Promise<OpenedStore> {
  if (databaseUrl === undefined) throw new Error('an embedded store has one owner')
  const opened = await openStoreAt(scope, databaseUrl)
  scope.after(() => opened.store.close())
  return opened
}

export function startReplica(opened: OpenedStore, options: ReplicaOptions): Replica {
  const { store, directory } = opened
  const { clock } = options
  const ledger = createLedger({
    store,
    clock,
    log: createLog('silent'),
    spillPath: join(directory, 'spill.jsonl'),
    alongside: SETTLE_ALONGSIDE,
  })
  const accounts = createAccounts({
    store,
    ledger,
    clock,
    serviceName: 'svc',
    onChange: {
      account: (accountId) => gate.forgetAccount(accountId),
      key: (keyHash) => gate.forgetKey(keyHash),
    },
  })
  const gate = createGate(opened, accounts, ledger, options)
  return {
    opened,
    gate,
    ledger,
    accounts,
    async close() {
      await ledger.idle()
      await gate.close()
      ledger.close()
    },
  }
}

function createGate(
  { store }: OpenedStore,
  accounts: Accounts,
  ledger: Ledger,
  { clock, renewEveryMs, ...options }: ReplicaOptions,
): Gate {
  if (store.engine === 'postgres') {
    const gateClock = 'gateClock' in options ? options.gateClock : clock
    return createPostgresGate({
      store,
      log: createLog('silent'),
      ...(gateClock && { clock: gateClock }),
      ...(renewEveryMs !== undefined && { renewEveryMs }),
    })
  }
  return createMemoryGate({
    clock,
    source: {
      findKey: (keyHash) => accounts.findKey(keyHash),
      readKeySpend: (key) => ledger.keySpend(key),
      async readStanding(accountId) {
        const limits = await accounts.readLimits(accountId)
        const funds = (await ledger.funds([accountId])).get(accountId)
        if (!funds) throw new Error(`account ${accountId} has no balance`)
        return { ...limits, funds }
      },
    },
  })
}

/** Ends a hold as chat does it: first the charge is made durable, then the gate is told. */
export async function settleHold(
  { gate, ledger }: Pick<Replica, 'gate' | 'ledger'>,
  hold: Hold,
  use: { readonly tokens: number; readonly cost: number },
): Promise<{ readonly charged: Charged; readonly allowance: Allowance }> {
  const charged = await bookCharge(ledger, chargeOf(hold, use))
  const { funds, keySpent, alongside } = charged
  const settlement = { tokens: use.tokens, funds, keySpent, alongside }
  return { charged, allowance: gate.settle(hold, settlement) }
}

export function chargeOf(
  { requestId, accountId, keyId, needsKeySpent }: Hold,
  { tokens, cost }: { readonly tokens: number; readonly cost: number },
): Charge {
  const promptTokens = Math.floor(tokens / 3)
  return makeCharge(accountId, requestId, {
    keyId,
    needsKeySpent,
    promptTokens,
    completionTokens: tokens - promptTokens,
    cost: nano(cost),
  })
}
