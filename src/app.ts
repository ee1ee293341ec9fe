import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { systemClock, type Clock } from '#platform/clock.ts'
import { createPaymentRecords, type Payments, type Seller } from '#payments/index.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/index.ts'
import { migrate, type Store } from '#platform/store/index.ts'
import { createAccounts, createPersons, type Accounts } from '#accounts/index.ts'
import {
  createAlerts,
  createNotedAccounts,
  type Alerts,
  type NotedAccounts,
} from '#alerts/index.ts'
import { createApi, type HttpBounds, type WatchBounds } from '#api/index.ts'
import { createChat, type Chat } from '#chat/index.ts'
import {
  createMemoryGate,
  createPostgresGate,
  SETTLE_ALONGSIDE,
  type Gate,
  type GateSource,
} from '#gate/index.ts'
import { createIdentity, type Identity, type IdentityOptions } from '#identity/index.ts'
import { createLedger, type Ledger } from '#ledger/index.ts'
import {
  completeBrands,
  createModels,
  type Brand,
  type BrandChange,
  type BrandConfig,
  type CircuitOptions,
  type Models,
} from '#models/index.ts'
import {
  measureGate,
  measureLedger,
  measureRequests,
  measureState,
  type MeasuredRooms,
  type Metrics,
  type Tracing,
} from '#ops/index.ts'
import type { PaymentConfig } from './payment-config.ts'
import { preparePayments } from './prepare-payments.ts'
import { MIGRATIONS } from './tables.ts'

export interface AppOptions {
  readonly store: Store
  readonly log: Log
  readonly clock?: Clock
  readonly serviceName: string
  /** What the system message says that is placed before every conversation. */
  readonly identityText: string
  /** Ends in "/v1". */
  readonly baseUrl: string
  /** The origin of {auth_url}. */
  readonly issuer: string
  readonly trustedProxies?: readonly string[]
  /** Whether load balancers are told to send no more requests. */
  readonly isDraining?: () => boolean
  readonly operatorToken: string
  readonly secret: string
  readonly mailer: Mailer
  readonly lifetimes?: NonNullable<IdentityOptions['lifetimes']>
  readonly brands: Readonly<Record<Brand, BrandConfig>>
  /** Where to look for a model where none is configured; undefined looks nowhere. */
  readonly ollamaUrl: string | undefined
  readonly circuit?: CircuitOptions
  readonly keepAliveMs?: number
  readonly maxUnderWay?: number
  readonly maxUnderWayOfOne?: number
  readonly bounds?: Partial<HttpBounds>
  readonly watchBounds?: Partial<WatchBounds>
  /** Where what happens is counted; undefined: nowhere. */
  readonly metrics?: Metrics | undefined
  /** What puts spans around what is done for a chat request; undefined: nothing does. */
  readonly tracing?: Tracing | undefined
  readonly payments: PaymentConfig
  readonly seller: Seller
  /** For what the store cannot take. */
  readonly dataDir: string
  /** How long a reply waits for a store that is away. */
  readonly patienceMs?: number
  /** How many whole months before the current one keep their receipts; undefined: all. */
  readonly retentionMonths?: number | undefined
}

/** The service, wired and ready to listen. */
export interface App {
  readonly server: FastifyInstance
  readonly accounts: Accounts
  readonly ledger: Ledger
  readonly models: Models
  readonly identity: Identity
  /** Undefined where nobody takes payments. */
  readonly payments: Payments | undefined
  readonly alerts: Alerts
  /**
   * Puts another configuration in place, as far as it can change while requests are under way: they end
   * with what they began with. Rejects, with nothing changed, where an upstream cannot be made.
   */
  reload(next: Reloadable): Promise<Reloaded>
  /** Stops accepting, lets replies end, and after the given time breaks off those that have not. */
  close(drainMs: number): Promise<void>
}

/** What can change in a service that runs. */
export type Reloadable = Pick<AppOptions, 'brands' | 'ollamaUrl' | 'identityText'>

/** What another configuration changed. */
export interface Reloaded {
  readonly brands: readonly BrandChange[]
  readonly identity: 'same' | 'changed'
}

/** For the last bytes of replies that have ended. */
const FLUSH_MS = 500

/** The only place where rooms are wired. Closing the store is left to whoever opened it. */
export async function createApp(options: AppOptions): Promise<App> {
  const { store, log, clock = systemClock, serviceName } = options
  const brands = completeBrands(options.brands, options.ollamaUrl)
  await migrate(store, MIGRATIONS)
  const noted = createNotedAccounts()
  const ledger = await prepareLedger(options, clock, noted)
  const onChange = {
    account: (accountId: string) => {
      gate.forgetAccount(accountId)
      noted.add([accountId])
    },
    key: (keyHash: string) => gate.forgetKey(keyHash),
  }
  const accounts = createAccounts({ store, ledger, clock, serviceName, onChange })
  const persons = createPersons({ store, ledger, clock, onChange })
  const gate: Gate = createGate(options, accounts, ledger)
  const models = await createModels({
    serviceName,
    brands: await brands,
    ...given(options, 'circuit'),
    wrapUpstream: options.tracing?.traceUpstream,
    store,
    clock,
    log,
  })
  const { identityText, reload } = followConfig(options, models)
  const chatBounds = given(options, 'keepAliveMs', 'maxUnderWay', 'maxUnderWayOfOne')
  const chat = createChat({ gate, ledger, models, log, identity: identityText, ...chatBounds })
  const identity = createIdentity({ ...options, persons, clock, ...given(options, 'lifetimes') })
  await identity.prepare()
  const origin = new URL(options.baseUrl).origin
  const payments = preparePayments(options, { accounts, ledger, clock })
  const alerts = createAlerts({ ...options, accounts, ledger, clock, noted })
  alerts.begin()
  const rooms = { accounts, persons, ledger, gate, models, chat, identity, payments, alerts }
  const paymentRecords = createPaymentRecords(store)
  const server = createApi({ ...options, ...rooms, paymentRecords, clock, origin })
  if (options.metrics) measureApp(options.metrics, server, rooms)
  options.tracing?.traceRequests(server)

  return {
    server,
    accounts,
    ledger,
    models,
    identity,
    payments,
    alerts,
    reload,
    async close(drainMs) {
      await drain(server, chat, drainMs)
      await closeRooms(options, rooms)
    },
  }
}

/** Keeps what can change, for the rooms to ask for. */
function followConfig(options: AppOptions, models: Models) {
  let { identityText } = options
  return {
    identityText: () => identityText,
    async reload(next: Reloadable): Promise<Reloaded> {
      const put = await models.prepare(await completeBrands(next.brands, next.ollamaUrl))
      // From here to the end nothing is awaited: no request sees a half of it.
      const identity = identityText === next.identityText ? 'same' : 'changed'
      identityText = next.identityText
      return { brands: put(), identity }
    },
  }
}

function measureApp(metrics: Metrics, server: FastifyInstance, rooms: MeasuredRooms): void {
  measureRequests(server, metrics)
  measureState(metrics.registry, rooms)
}

type Rooms = Pick<App, 'identity' | 'alerts' | 'ledger' | 'models'> & { readonly gate: Gate }

async function closeRooms({ mailer }: AppOptions, rooms: Rooms): Promise<void> {
  const { identity, alerts, ledger, models, gate } = rooms
  await identity.close()
  await alerts.close()
  await mailer.idle()
  await alerts.idle()
  await ledger.idle()
  await models.close()
  await gate.close()
  ledger.close()
}

/** Options that may be left out, so that the room's own defaults hold. */
function given<Options extends object, Name extends keyof Options>(
  options: Options,
  ...names: readonly Name[]
): { [Left in Name]?: Exclude<Options[Left], undefined> } {
  const entries = names.map((name) => [name, options[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as object
}

/** Stops accepting; lets replies end, for so long; resolves when no connection is left. */
async function drain(server: FastifyInstance, chat: Chat, drainMs: number): Promise<void> {
  const hangUp = (): void => server.server.closeAllConnections()
  const timer = setTimeout(hangUp, drainMs)
  const closed = server.close()
  // Connections without a request would keep a server open that has nothing left to say.
  void untilQuiet(chat).then(hangUp)
  await closed
  clearTimeout(timer)
  await chat.idle()
}

/** Resolves when no reply is under way, and none has begun while the last one's bytes went out. */
async function untilQuiet(chat: Chat): Promise<void> {
  do {
    await chat.idle()
    await delay(FLUSH_MS)
  } while (chat.underWay() > 0)
}

async function prepareLedger(
  options: AppOptions,
  clock: Clock,
  noted: NotedAccounts,
): Promise<Ledger> {
  const { store, log, dataDir } = options
  const spillPath = join(dataDir, 'spill.jsonl')
  // A charge ends its hold in the same commit, where holds are in the store too.
  const alongside = SETTLE_ALONGSIDE
  const chosen = { ...given(options, 'patienceMs'), ...given(options, 'retentionMonths') }
  const { metrics, tracing } = options
  const onCharged = (accountIds: readonly string[]): void => {
    noted.add(accountIds)
    metrics?.batches.observe(accountIds.length)
  }
  const ledger = createLedger({ store, clock, log, spillPath, alongside, onCharged, ...chosen })
  const { left } = await ledger.prepare()
  const measured = metrics ? measureLedger(ledger, metrics, left) : ledger
  return tracing ? tracing.traceLedger(measured) : measured
}

function createGate(options: AppOptions, accounts: Accounts, ledger: Ledger): Gate {
  const gate = createGateOfStore(options, accounts, ledger)
  const measured = options.metrics ? measureGate(gate, options.metrics) : gate
  return options.tracing ? options.tracing.traceGate(measured) : measured
}

function createGateOfStore(
  { store, log, clock }: AppOptions,
  accounts: Accounts,
  ledger: Ledger,
): Gate {
  switch (store.engine) {
    case 'sqlite':
      return createMemoryGate({
        source: createGateSource(accounts, ledger),
        clock: clock ?? systemClock,
      })
    case 'postgres':
      return createPostgresGate({ store, log, ...(clock && { clock }) })
  }
}

/** What the gate asks of the rooms that know. */
function createGateSource(accounts: Accounts, ledger: Ledger): GateSource {
  return {
    findKey: (keyHash: string) => accounts.findKey(keyHash),
    readKeySpend: (key) => ledger.keySpend(key),
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
