import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createLog } from '#platform/log.ts'
import type { PostgresStore } from '#platform/store/index.ts'
import { openPostgresStore } from '#platform/store/postgres-store.ts'
import { hashOf, listCalls, makeChanges, passTogether, passWithoutCharge } from './calls.ts'
import { readCounts, subtractCounts, type Count } from './counters.ts'
import { openExplainedStore } from './explained-store.ts'
import { createRooms } from './rooms.ts'

export interface Database {
  readonly url: string
  readonly accounts: number
  /** Empty, and nobody else's. */
  readonly directory: string
}

/** So many rounds, each with calls of every sort; explaining takes its time. */
const ROUNDS = 5
const EXPLAINED_ROUNDS = 2
/** Requests of one round, first all at once, then each for itself: plans are settled after five of them. */
const TOGETHER = 64

/** Requests, and lists and changes, of one run: what the database has counted of them. */
export interface Counted {
  readonly requests: number
  readonly ofRequests: readonly Count[]
  readonly ofLists: readonly Count[]
}

/** Makes the real calls, and reads the database's counters of scans and rows before and after. */
export async function countReads(database: Database): Promise<Counted> {
  const watcher = new Client({ connectionString: database.url })
  await watcher.connect()
  try {
    // The first connections of a process read catalogues and settle leases: they are not what is counted.
    const begin = await settledCounts(watcher)
    let requests = 0
    await withStore(database, async (store) => {
      requests = await makeRequests(database, store, ROUNDS)
    })
    const afterRequests = await settledCounts(watcher)
    await withStore(database, (store) => makeLists(database, store, ROUNDS))
    const end = await settledCounts(watcher)
    return {
      requests,
      ofRequests: subtractCounts(afterRequests, begin),
      ofLists: subtractCounts(end, afterRequests),
    }
  } finally {
    await watcher.end()
  }
}

export interface Explained {
  /** How many different ones. */
  readonly statements: number
  /** A sentence for each that reads a table from one end to the other, where there is anything in it. */
  readonly scans: readonly string[]
}

/** Makes the same calls, and has the database explain each statement of theirs. */
export async function explainCalls(database: Database): Promise<Explained> {
  const { store, plans } = openExplainedStore(database.url)
  try {
    await makeRequests(database, store, EXPLAINED_ROUNDS)
    await makeLists(database, store, EXPLAINED_ROUNDS)
    const filled = await findFilled(store, [...new Set(plans.flatMap(({ scanned }) => scanned))])
    const scans = plans.flatMap(({ text, scanned }) =>
      scanned
        .filter((table) => filled.has(table))
        .map((table) => `${table} is scanned by "${text.slice(0, 90)}…"`),
    )
    return { statements: new Set(plans.map(({ text }) => text)).size, scans: [...new Set(scans)] }
  } finally {
    await store.close()
  }
}

/** Those of the tables that have anything in them: a month to come has not. */
async function findFilled(
  store: PostgresStore,
  tables: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relname = any (${tables}) and relkind = 'r' and pg_relation_size(oid) > 0
  `.execute(store.reads)
  return new Set(rows.map(({ name }) => name))
}

async function withStore(
  { url, directory }: Database,
  use: (store: PostgresStore) => Promise<void>,
): Promise<void> {
  const store = await openPostgresStore(url, directory)
  try {
    await use(store)
  } finally {
    await store.close()
  }
}

async function makeRequests(
  database: Database,
  store: PostgresStore,
  rounds: number,
): Promise<number> {
  const { directory, accounts } = database
  const rooms = createRooms({ store, directory, log: createLog('error') })
  let place = 0
  const next = (): number => (place++ * 31) % accounts
  for (let round = 0; round < rounds; round += 1) {
    await passTogether(rooms, Array.from({ length: TOGETHER }, next))
    for (let one = 0; one < TOGETHER; one += 1) await passTogether(rooms, [next()])
    await passWithoutCharge(rooms, next())
  }
  await rooms.close()
  return place
}

async function makeLists(database: Database, store: PostgresStore, rounds: number): Promise<void> {
  const rooms = createRooms({ store, directory: database.directory, log: createLog('error') })
  for (let round = 0; round < rounds; round += 1) {
    const owner = await rooms.accounts.findKey(hashOf(round % database.accounts))
    if (!owner) throw new Error('a key that was made is not there')
    for (const call of Object.values(listCalls(rooms, store, owner.accountId))) await call()
    await makeChanges(rooms, owner.accountId)
  }
  await rooms.close()
}

/** Each connection tells its counts when it ends, at the latest: waits until ours is the only one. */
async function settledCounts(watcher: Client): Promise<Count[]> {
  const others = `select count(*)::int as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  while ((await watcher.query<{ others: number }>(others)).rows[0]?.others !== 0) await delay(20)
  return readCounts(watcher)
}
