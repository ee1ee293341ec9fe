import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#platform/log.ts'
import { openStore, type Store } from '#platform/store/index.ts'
import type { HttpBounds, WatchBounds } from '#api/index.ts'
import type { BrandConfig, CircuitOptions, UpstreamOptions } from '#models/index.ts'
import { createApp, type App, type AppOptions } from '../../src/app.ts'
import { APP_OPTIONS, OPERATOR_TOKEN } from './app-options.ts'
import { findFreePort } from './child-service.ts'
import { createMemoryMailer, type MemoryMailer } from './memory-mailer.ts'
import { startFakeUpstream, type FakeUpstream, type Script } from './fake-upstream/index.ts'
import { createDatabaseIfAsked } from './postgres/index.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

/** The real service, in this process, on a free port and a store of its own. */
export interface Service {
  /** Where the surfaces are, e.g. "http://127.0.0.1:40001". */
  readonly origin: string
  readonly operatorToken: string
  readonly app: App
  readonly store: Store
  readonly clock: ManualClock
  readonly dataDir: string
  /** What it has logged, a JSON object a line. */
  readonly logged: readonly string[]
  readonly mailer: MemoryMailer
  close(): Promise<void>
}

export interface ServiceOptions {
  /** One upstream for all brands, or one set for each; the simulated model when left out. */
  readonly upstreams?: readonly UpstreamOptions[]
  readonly brands?: Partial<Record<'air' | 'prime' | 'nova', Partial<BrandConfig>>>
  readonly circuit?: CircuitOptions
  readonly keepAliveMs?: number
  readonly maxUnderWay?: number
  readonly maxUnderWayOfOne?: number
  readonly bounds?: Partial<HttpBounds>
  readonly watchBounds?: Partial<WatchBounds>
  readonly clock?: ManualClock
  /**
   * Where people sign in, when the tests that use it need addresses that lead to this service. Passkeys
   * are for names, not for numbers: browsers make them at "localhost".
   */
  readonly identity?: true | 'localhost'
  readonly issuer?: string
  readonly secret?: string
  /** Where it listens; a free one where it is left out. */
  readonly port?: number
  readonly payments?: AppOptions['payments']
  readonly seller?: AppOptions['seller']
  readonly trustedProxies?: readonly string[]
  readonly lifetimes?: NonNullable<AppOptions['lifetimes']>
  /** Opens this store again instead of a new one; it is then not deleted at the end. */
  readonly dataDir?: string
  /** A PostgreSQL; without it the embedded store, or a new database where the tests run on PostgreSQL. */
  readonly databaseUrl?: string
  /** The embedded store, whatever the tests run on. */
  readonly embedded?: true
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'parley-test-'))
  const clock = options.clock ?? createManualClock()
  const logged: string[] = []
  const databaseUrl = options.embedded
    ? undefined
    : (options.databaseUrl ?? (await createDatabaseIfAsked(options.dataDir)))
  const store = await openStore({ dataDir, databaseUrl })
  const mailer = createMemoryMailer()
  const port = options.port ?? (options.identity ? await findFreePort() : 0)
  const creating = createApp({
    store,
    dataDir,
    clock,
    log: createMemoryLog(logged),
    ...APP_OPTIONS,
    ...(port > 0 && { issuer: `http://${hostOf(options)}:${port}` }),
    ...(options.issuer !== undefined && { issuer: options.issuer }),
    ...(options.secret !== undefined && { secret: options.secret }),
    mailer,
    ...(options.payments && { payments: options.payments }),
    ...(options.seller && { seller: options.seller }),
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    ...(options.lifetimes && { lifetimes: options.lifetimes }),
    brands: completeBrands(options),
    ...(options.circuit && { circuit: options.circuit }),
    ...(options.keepAliveMs !== undefined && { keepAliveMs: options.keepAliveMs }),
    ...(options.maxUnderWay !== undefined && { maxUnderWay: options.maxUnderWay }),
    ...(options.maxUnderWayOfOne !== undefined && { maxUnderWayOfOne: options.maxUnderWayOfOne }),
    ...(options.bounds && { bounds: options.bounds }),
    ...(options.watchBounds && { watchBounds: options.watchBounds }),
  })
  const app = await creating.catch(async (error: unknown) => {
    // A test that has the start refused opens the store again.
    await store.close()
    throw error
  })
  await app.server.listen({ host: '127.0.0.1', port })
  const { port: listening } = app.server.server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${listening}`,
    mailer,
    operatorToken: OPERATOR_TOKEN,
    app,
    store,
    clock,
    dataDir,
    logged,
    async close() {
      await app.close(1_000)
      await store.close()
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Whatever has an end that a hook can wait for: one test, or a file of them. */
export interface Scope {
  after(close: () => void | Promise<void>): void
}

/** A service that is closed when the test, or the file, has ended. */
export async function serveFor(scope: Scope, options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(options)
  scope.after(() => service.close())
  return service
}

export interface UpstreamedService {
  readonly service: Service
  readonly upstream: FakeUpstream
}

/** The same, with one fake upstream behind all three brands. */
export async function serveWithUpstream(
  scope: Scope,
  script: Script = {},
  options: Omit<ServiceOptions, 'upstreams'> = {},
): Promise<UpstreamedService> {
  const upstream = await startFakeUpstream()
  upstream.play(script)
  const service = await serveFor(scope, { ...options, upstreams: [describeUpstream(upstream)] })
  scope.after(() => upstream.close())
  return { service, upstream }
}

function hostOf({ identity }: ServiceOptions): string {
  return identity === 'localhost' ? identity : '127.0.0.1'
}

export function describeUpstream({ url }: { readonly url: string }, name = 'fake') {
  return { kind: 'openai', name, url, model: 'fake-model', apiKey: undefined } as const
}

function completeBrands({ upstreams = [], brands = {} }: ServiceOptions) {
  const of = (brand: 'air' | 'prime' | 'nova'): BrandConfig => ({ upstreams, ...brands[brand] })
  return { air: of('air'), prime: of('prime'), nova: of('nova') }
}

function createMemoryLog(logged: string[]): Log {
  const write = (level: string) => (fields: object, sentence: string) => {
    logged.push(JSON.stringify({ level, sentence, ...fields }))
  }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
