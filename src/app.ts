import type { FastifyInstance } from 'fastify'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { migrate, type Store } from '#platform/store/index.ts'
import { accountsMigrations, createAccounts, type Accounts } from '#accounts/index.ts'
import { createApi } from '#api/index.ts'
import { createChat } from '#chat/index.ts'
import { createMemoryGate, type Gate } from '#gate/index.ts'
import { createLedger, ledgerMigrations, type Ledger } from '#ledger/index.ts'
import {
  completeBrands,
  createModels,
  modelMigrations,
  type Brand,
  type BrandConfig,
  type CircuitOptions,
  type Models,
} from '#models/index.ts'

export interface AppOptions {
  readonly store: Store
  readonly log: Log
  readonly clock?: Clock
  readonly serviceName: string
  readonly identity: string
  /** Ends in "/v1". */
  readonly baseUrl: string
  readonly operatorToken: string
  readonly brands: Readonly<Record<Brand, BrandConfig>>
  /** Where to look for a model where none is configured; undefined looks nowhere. */
  readonly ollamaUrl: string | undefined
  readonly circuit?: CircuitOptions
  readonly keepAliveMs?: number
}

/** The service, wired and ready to listen. */
export interface App {
  readonly server: FastifyInstance
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly models: Models
  /** Stops accepting, lets replies end, and after the given time breaks off those that have not. */
  close(drainMs: number): Promise<void>
}

const KEEP_ALIVE_MS = 15_000

/** The only place where rooms are wired. Closing the store is left to whoever opened it. */
export async function createApp(options: AppOptions): Promise<App> {
  const { store, log, clock = systemClock, serviceName, identity, operatorToken } = options
  const brands = completeBrands(options.brands, options.ollamaUrl)
  await migrate(store, [ledgerMigrations, accountsMigrations, modelMigrations])

  const ledger = createLedger({ store, clock })
  const accounts = createAccounts({
    store,
    ledger,
    clock,
    serviceName,
    onChange: {
      account: (accountId) => gate.forgetAccount(accountId),
      key: (keyHash) => gate.forgetKey(keyHash),
    },
  })
  const gate: Gate = createMemoryGate({ source: createGateSource(accounts, ledger), clock })
  const models = await createModels({
    serviceName,
    brands: await brands,
    ...(options.circuit && { circuit: options.circuit }),
    store,
    clock,
    log,
  })
  const keepAliveMs = options.keepAliveMs ?? KEEP_ALIVE_MS
  const chat = createChat({ gate, ledger, models, clock, log, identity, keepAliveMs })
  const origin = new URL(options.baseUrl).origin
  const server = createApi({
    accounts,
    ledger,
    gate,
    models,
    chat,
    clock,
    log,
    serviceName,
    origin,
    operatorToken,
  })

  return {
    server,
    accounts,
    ledger,
    models,
    async close(drainMs) {
      const timer = setTimeout(() => server.server.closeAllConnections(), drainMs)
      await server.close()
      clearTimeout(timer)
      await chat.idle()
      await ledger.idle()
      await models.close()
      gate.close()
    },
  }
}

/** What the gate asks of the rooms that know. */
function createGateSource(accounts: Accounts, ledger: Ledger) {
  return {
    findKey: (keyHash: string) => accounts.findKeyOwner(keyHash),
    async readStanding(accountId: string) {
      const [limits, funds] = await Promise.all([
        accounts.readLimits(accountId),
        ledger.funds([accountId]),
      ])
      const found = funds.get(accountId)
      if (!found) throw new Error(`account ${accountId} has no balance`)
      return { ...limits, funds: found }
    },
  }
}
