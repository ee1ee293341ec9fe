import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from '#platform/describe-error.ts'
import { createLog, type Log } from '#platform/log.ts'
import {
  createFileMailer,
  createNoMailer,
  createSmtpMailer,
  type Mailer,
} from '#platform/mail/index.ts'
import { readOrCreateSecret } from '#platform/secrets.ts'
import {
  openStore,
  StoreInUse,
  StoreMoved,
  StoreTooNew,
  StoreUnreachable,
} from '#platform/store/index.ts'
import { WrongSecret } from '#identity/index.ts'
import { LlamaRefused, ProviderNotInstalled } from '#models/index.ts'
import { createMetrics, findTracing, startOps } from '#ops/index.ts'
import { createApp, type App } from './app.ts'
import {
  ConfigError,
  readConfig,
  readEnvironment,
  type Config,
  type Environment,
} from './config.ts'
import { describeStart, type FirstAccess } from './describe-start.ts'
import { createReload } from './reload.ts'

/** Connections that the system keeps until they are taken: bursts are no reason to be turned away. */
const BACKLOG = 4_096

/** How long the link of a first start is good for. */
const LINK_MS = 24 * 3_600_000

/** Starts the service and runs it until it is told to stop. Resolves when it listens. */
export async function serve(env: Environment = readEnvironment()): Promise<void> {
  const started = Promise.withResolvers<{ onHangUp: () => void }>()
  // From the first moment on: without a listener the signal would end the process.
  process.on('SIGHUP', () => void started.promise.then(({ onHangUp }) => onHangUp()))
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  const store = await openStore(config)
  const operatorToken = config.operatorToken ?? readOrCreateSecret(config.dataDir, 'operator-token')
  const secret = config.secret ?? readOrCreateSecret(config.dataDir, 'secret')
  const mailer = createMailer(config, log)
  const metrics = config.ops && createMetrics()
  let stopping: Promise<void> | undefined
  const isDraining = (): boolean => stopping !== undefined
  const watching = { metrics, tracing: await findTracing() }
  const given = { store, log, operatorToken, secret, mailer, isDraining }
  const app = await createApp({ ...config, ...watching, ...given })
  await app.server.listen({ host: config.host, port: config.port, backlog: BACKLOG })
  const watched = { store, log, models: app.models, isDraining }
  const ops = metrics && (await startOps({ ...watched, metrics }, config.ops))
  const first = config.production ? undefined : await makeFirst(app)
  const isLockedOut = !config.production && !first && !(await app.identity.operatorCanSignIn())
  const stop = async (signal: string): Promise<void> => {
    const { delayMs, limitMs } = config.drain
    log.info({ signal, delay_ms: delayMs }, 'stopping: load balancers may turn away')
    await delay(delayMs)
    log.info({ limit_ms: limitMs }, 'stopping: no new requests, replies under way may end')
    await app.close(limitMs)
    await store.close()
    ops?.close()
    ops?.closeAllConnections()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= stop(signal)
    })
  }
  const reload = createReload({ env, config, app, log })
  started.resolve({
    onHangUp() {
      if (hasLostTerminal()) stopping ??= stop('SIGHUP')
      else if (!stopping) void reload()
    },
  })
  // All is set up: whoever waits for these lines may send a signal at once.
  process.stdout.write(describeStart({ config, models: app.models, first, isLockedOut }))
  // Last, for it takes the process half a second in which little else goes on.
  void loadIdentity(app, log)
}

const HAD_TERMINAL = process.stdin.isTTY || process.stdout.isTTY

/** A terminal that closes sends SIGHUP too, to what runs in it: that is to end with it. */
function hasLostTerminal(): boolean {
  if (!HAD_TERMINAL) return false
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return false
  } catch {
    return true
  }
}

/** Without a mail server mails are files, which nobody in production would read. */
function createMailer({ smtp, production, dataDir }: Config, log: Log): Mailer {
  if (smtp) return createSmtpMailer({ ...smtp, log })
  if (!production) return createFileMailer({ directory: join(dataDir, 'mails'), log })
  log.warn({}, 'SMTP_URL is not set: nobody can sign up or set a new password')
  return createNoMailer(log)
}

/** Half a second of loading that nobody's first request should wait for, nor the start. */
async function loadIdentity({ identity }: App, log: Log): Promise<void> {
  try {
    await identity.load()
  } catch (error) {
    log.warn({ error: describeError(error) }, 'signing in is not ready; the next call tries again')
  }
}

/** A new store outside production gets an account to try the service with, and its person a way in. */
async function makeFirst({ accounts, identity }: App): Promise<FirstAccess | undefined> {
  const first = { email: 'you@localhost', name: 'First account' }
  const account = await accounts.createFirst(first, 'start')
  if (!account) return undefined
  const { key } = await accounts.createKey(account.id, { name: 'first key' }, 'start')
  const wish = { personId: account.personId, lifetimeMs: LINK_MS, makesOperator: true }
  const { url } = await identity.signInLinks.make(wish, 'start')
  return { key, link: url }
}

function isForThePerson(error: unknown): error is Error {
  return [
    ConfigError,
    LlamaRefused,
    ProviderNotInstalled,
    StoreInUse,
    StoreMoved,
    StoreTooNew,
    StoreUnreachable,
    WrongSecret,
  ].some((kind) => error instanceof kind)
}

/** What went wrong at the start, with what to do, and no stack where a person can mend it. */
export function explainFailure(error: unknown): string {
  if (isForThePerson(error)) return error.message
  const { code, port, address, hostname, path } = error as NodeJS.ErrnoException &
    Record<string, unknown>
  if (code === 'EADDRINUSE') {
    return `${String(address)}:${String(port)} is in use. Stop what listens there, or choose another port (PORT, PARLEY_OPS_PORT).`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `This machine has no address ${String(address ?? hostname)}. Set HOST to one that it has.`
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `${String(path)} is no directory. Set PARLEY_DATA_DIR to one.`
  }
  if (code === 'EACCES') return `No permission: ${(error as Error).message}`
  return (error as Error).stack ?? String(error)
}
