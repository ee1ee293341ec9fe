import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from '../child-service.ts'
import { findPostgresBinaries, type PostgresBinaries } from './find-binaries.ts'

/** A real PostgreSQL of its own, on a free loopback port. */
export interface Postgres {
  /** Makes an empty database, of a name of its own where none is given, and says where it is. */
  createDatabase(name?: string): Promise<string>
  /** Ends it as a power cut would, or in good order; what it had is there when it starts again. */
  stop(how: 'killed' | 'in_order'): Promise<void>
  start(): Promise<void>
  /** Of the main process: for tests that freeze it. */
  pid(): number
  /** Ends it and deletes what it had. */
  close(): Promise<void>
}

interface User {
  readonly uid: number
  readonly gid: number
}

const START_TIMEOUT_MS = 30_000

/**
 * Durability against a power cut of the machine is not what tests can try, so the disk is not waited
 * for unless `durable` is set; that of a killed process is the same either way.
 */
const SETTINGS = ['unix_socket_directories=', 'max_connections=100', 'autovacuum_naptime=10s']

export interface PostgresOptions {
  /** Waits for the disk, as a database for real does. */
  readonly durable?: boolean
  /** `package`: not the system's, though there be one. */
  readonly from?: 'anywhere' | 'package'
  /** Where it listens besides, for whoever is in this network. */
  readonly alsoAt?: { readonly address: string; readonly network: string }
  /** Others than what it comes with, e.g. "shared_buffers=2GB". */
  readonly settings?: readonly string[]
}

export async function startPostgres({
  durable = false,
  from = 'anywhere',
  alsoAt,
  settings: more = [],
}: PostgresOptions = {}): Promise<Postgres> {
  const binaries = await findPostgresBinaries(from)
  const user = unprivilegedUser()
  const home = mkdtempSync(join(tmpdir(), 'parley-postgres-'))
  if (user) chownSync(home, user.uid, user.gid)
  const data = join(home, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user) chownSync(data, user.uid, user.gid)
  const port = await findFreePort()
  const options = { ...user, cwd: home, env: {} }
  await promisify(execFile)(
    binaries.initdb,
    ['-D', data, '-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    options,
  )
  const addresses = ['127.0.0.1', ...(alsoAt ? [alsoAt.address] : [])]
  if (alsoAt) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${alsoAt.network} trust\n`)
  const settings = [
    ...SETTINGS,
    `listen_addresses=${addresses.join()}`,
    `port=${port}`,
    ...asDurable(durable),
    ...more,
  ]
  const server = new Server(binaries, ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...options,
    port,
  })
  await server.start()
  let databases = 0
  return {
    async createDatabase(told) {
      databases += 1
      const name = told ?? `db_${databases}`
      await server.run(`create database ${name}`)
      return server.urlOf(name)
    },
    stop: (how) => server.stop(how === 'killed' ? 'SIGQUIT' : 'SIGINT'),
    start: () => server.start(),
    pid: () => server.pid(),
    async close() {
      await server.stop('SIGQUIT')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

interface ServerOptions extends Partial<User> {
  readonly port: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

class Server {
  readonly #binaries: PostgresBinaries
  readonly #args: readonly string[]
  readonly #options: ServerOptions
  #child: ChildProcess | undefined

  constructor(binaries: PostgresBinaries, args: readonly string[], options: ServerOptions) {
    this.#binaries = binaries
    this.#args = args
    this.#options = options
  }

  urlOf(database: string): string {
    return `postgres://parley@127.0.0.1:${this.#options.port}/${database}`
  }

  pid(): number {
    if (this.#child?.pid === undefined) throw new Error('PostgreSQL is not running')
    return this.#child.pid
  }

  async start(): Promise<void> {
    const { port: _, ...options } = this.#options
    const child = spawn(this.#binaries.postgres, [...this.#args], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const said: string[] = []
    child.stderr?.on('data', (bytes: Buffer) => {
      said.push(bytes.toString())
      if (said.length > 100) said.shift()
    })
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!(await this.#answers())) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`PostgreSQL does not start:\n${said.join('')}`)
      }
      await delay(20)
    }
  }

  async stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    // Of a process that was frozen nothing else would be heard.
    child.kill('SIGCONT')
    child.kill(signal)
    await once(child, 'exit')
  }

  async run(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.urlOf('postgres') })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }

  async #answers(): Promise<boolean> {
    return this.run('select 1').then(
      () => true,
      () => false,
    )
  }
}

function asDurable(durable: boolean): string[] {
  const onOrOff = durable ? 'on' : 'off'
  return [`fsync=${onOrOff}`, `full_page_writes=${onOrOff}`]
}

/** PostgreSQL refuses to run as root: the system's own user for it, else the one for nobody. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const),
  )
  const user = users.get('postgres') ?? users.get('nobody')
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user "nobody" here')
  return user
}
