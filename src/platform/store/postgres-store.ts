import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describeDatabase } from '../postgres-url.ts'
import { CONNECTIONS } from './connections.ts'
import { refuseHalfRestored } from './directory-marks.ts'
import { ownDirectory } from './own-directory.ts'
import { StoreUnreachable } from './store-errors.ts'
import { watchDatabase } from './watch-database.ts'
import type { PostgresStore, Statement } from './store.ts'

/** Longer than any statement of its kind takes; for the hot path, shorter than a client's patience. */
const TIMEOUT_MS = { hot: 3_000, writes: 60_000, reads: 600_000, bulk: 3_600_000 } as const
const CONNECT_TIMEOUT_MS = 5_000
/** Rows are found by their keys. Read whole, a table may be cheaper today and is not tomorrow. */
const HOT_OPTIONS = '-c enable_seqscan=off -c jit=off'

/**
 * Opens a store that any number of replicas share. The URL may carry TLS settings and others
 * (`?sslmode=verify-full`), as libpq's do. Lost connections are replaced when they are next needed.
 */
export async function openPostgresStore(url: string, directory: string): Promise<PostgresStore> {
  refuseHalfRestored(directory)
  // What the database cannot take goes to a file there, which is this replica's alone.
  const disown = ownDirectory(directory)
  const hot = createPool(url, 'hot')
  const writes = createPool(url, 'writes')
  const reads = createPool(url, 'reads')
  const upkeep = createBreakablePool(url)
  const endAll = () => Promise.all([hot, writes, reads, upkeep].map((pool) => pool.end()))
  try {
    // Fails here, not at the first request, where the database cannot be reached.
    await writes.query('select 1')
  } catch (cause) {
    await endAll()
    disown()
    throw new StoreUnreachable(describeUnreachable(url, cause as Error), { cause })
  }
  const watch = watchDatabase(() => hot.query('select 1'))
  return {
    engine: 'postgres',
    db: new Kysely({ dialect: new PostgresDialect({ pool: writes }) }),
    reads: new Kysely({ dialect: new PostgresDialect({ pool: reads }) }),
    upkeep: new Kysely({ dialect: new PostgresDialect({ pool: upkeep }) }),
    async call<Row extends object>(statement: Statement, values: readonly unknown[]) {
      const { rows } = await watch.run(() => hot.query<Row>({ ...statement, values: [...values] }))
      return rows
    },
    async close() {
      watch.close()
      await endAll()
      disown()
    },
  }
}

/** Says where, without the password that a URL may have in it. */
function describeUnreachable(url: string, { message }: Error): string {
  const place = describeDatabase(url)
  return `PostgreSQL at ${place} cannot be used: ${message}. Start it, or correct DATABASE_URL.`
}

/** How soon the database sees in the middle of a statement that we are gone, and rolls it back. */
const CHECK_EVERY_MS = 1_000

/** Ends in the middle of a statement too: what is not committed is undone. */
function createBreakablePool(url: string): pg.Pool {
  const pool = createPool(url, 'bulk')
  let breakOff = async (): Promise<void> => {}
  pool.on('connect', (client) => {
    breakOff = () => client.end()
    // Not every system that PostgreSQL runs on can do it; then it is seen when the statement ends.
    client.query(`set client_connection_check_interval = ${CHECK_EVERY_MS}`).catch(() => {})
  })
  const end: () => Promise<void> = pool.end.bind(pool)
  return Object.assign(pool, {
    end: () => Promise.all([breakOff(), end()]).then(() => {}),
  })
}

export function createPool(url: string, purpose: keyof typeof CONNECTIONS): pg.Pool {
  const timeoutMs = TIMEOUT_MS[purpose]
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS[purpose],
    application_name: `parley ${purpose}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: timeoutMs,
    // The client's own, for a database that has become unreachable and says nothing any more.
    query_timeout: timeoutMs + 1_000,
    idle_in_transaction_session_timeout: timeoutMs,
    types: { getTypeParser },
    ...(purpose === 'hot' && { options: HOT_OPTIONS }),
  })
  // A connection that breaks leaves the pool by itself, and whoever uses it or needs one next is told.
  // Nobody else wants to know, but an event without a listener would end the process: the pool listens
  // to connections that are idle, we to those between two statements of a transaction.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const BIGINT = 20
const NUMERIC = 1_700

/** Amounts and counts are numbers, as in the embedded store: none is beyond what a number is exact for. */
function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === BIGINT || oid === NUMERIC) return readExactNumber
  return pg.types.getTypeParser(oid) as (text: string) => unknown
}

function readExactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is no exact number`)
  return value
}
