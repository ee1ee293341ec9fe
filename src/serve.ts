import { join } from 'node:path'
import { describeError } from '#platform/describe-error.ts'
import { createLog, type Log } from '#platform/log.ts'
import {
  createFileMailer,
  createNoMailer,
  createSmtpMailer,
  type Mailer,
} from '#platform/mail/index.ts'
import { readOrCreateSecret } from '#platform/secrets.ts'
import { openStore, StoreInUse, StoreMoved, StoreUnreachable } from '#platform/store/index.ts'
import { WrongSecret } from '#identity/index.ts'
import { createApp, type App } from './app.ts'
import {
  ConfigError,
  readConfig,
  readEnvironment,
  type Config,
  type Environment,
} from './config.ts'

/** Connections that the system keeps until they are taken: bursts are no reason to be turned away. */
const BACKLOG = 4_096

/** How long replies may go on after a SIGTERM before they are broken off. */
const DRAIN_MS = 30_000

/** Starts the service and runs it until it is told to stop. Resolves when it listens. */
export async function serve(env: Environment = readEnvironment()): Promise<void> {
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  const store = await openStore(config)
  const operatorToken = config.operatorToken ?? readOrCreateSecret(config.dataDir, 'operator-token')
  const secret = config.secret ?? readOrCreateSecret(config.dataDir, 'secret')
  const mailer = createMailer(config, log)
  const app = await createApp({ ...config, store, log, operatorToken, secret, mailer })
  await app.server.listen({ host: config.host, port: config.port, backlog: BACKLOG })
  const firstKey = config.production ? undefined : await createFirstKey(app)
  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'stopping: no new requests, replies under way may end')
    await app.close(DRAIN_MS)
    await store.close()
  }
  let stopping: Promise<void> | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stopping ??= stop(signal)
    })
  }
  // All is set up: whoever waits for these lines may send a signal at once.
  process.stdout.write(describeStart(config, app, firstKey))
  // Last, for it takes the process half a second in which little else goes on.
  void loadIdentity(app, log)
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

/** A new store outside production gets an account to try the service with. */
async function createFirstKey({ accounts }: App): Promise<string | undefined> {
  const first = { email: 'you@localhost', name: 'First account' }
  const account = await accounts.createFirst(first, 'start')
  if (!account) return undefined
  const { key } = await accounts.createKey(account.id, { name: 'first key' }, 'start')
  return key
}

function describeStart(config: Config, { models }: App, firstKey: string | undefined): string {
  const { baseUrl, production } = config
  const answers = models
    .health()
    .map(
      ({ model, upstreams }) => `${model.brand}: ${upstreams.map(({ name }) => name).join(', ')}`,
    )
  const isSimulated = models
    .health()
    .some(({ upstreams }) => upstreams.some(({ kind }) => kind === 'simulated'))
  const lines = [
    '',
    '  Parley is ready.',
    '',
    `  API       ${baseUrl}`,
    `  Document  ${baseUrl}/openapi.json`,
    `  Sign in   ${config.issuer}/sign-in`,
    `  Operator  ${new URL(baseUrl).origin}/operator/v1 (npx parley --help)`,
    `  Models    ${answers.join(' · ')}`,
    ...(isSimulated ? ['            (simulated: set PARLEY_UPSTREAM_URL for real answers)'] : []),
    `  Data      ${config.dataDir}`,
    '',
    ...describeFirstCall(baseUrl, production, firstKey),
    '',
  ]
  return `${lines.join('\n')}\n`
}

function describeFirstCall(
  baseUrl: string,
  production: boolean,
  firstKey: string | undefined,
): string[] {
  if (firstKey === undefined) {
    return production
      ? [
          '  Make an account and a key:',
          '    npx parley account create --email EMAIL',
          '    npx parley key create EMAIL --name NAME',
        ]
      : ['  Another key: npx parley key create you@localhost --name NAME']
  }
  return [
    '  Your first API key, with 1.00 € of credit. It is shown this once:',
    '',
    `    ${firstKey}`,
    '',
    '  Try it:',
    '',
    `    curl ${baseUrl}/chat/air -H 'Authorization: Bearer ${firstKey}' \\`,
    `      -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"Hello!"}]}'`,
  ]
}

function isForThePerson(error: unknown): error is Error {
  return [ConfigError, StoreInUse, StoreMoved, StoreUnreachable, WrongSecret].some(
    (kind) => error instanceof kind,
  )
}

/** What went wrong at the start, with what to do, and no stack where a person can mend it. */
export function explainFailure(error: unknown): string {
  if (isForThePerson(error)) return error.message
  const { code, port, address, hostname, path } = error as NodeJS.ErrnoException &
    Record<string, unknown>
  if (code === 'EADDRINUSE') {
    return `${String(address)}:${String(port)} is in use. Stop what listens there, or set PORT.`
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
