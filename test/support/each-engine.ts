import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test, type TestContext } from 'node:test'
import pg from 'pg'
import {
  openStore,
  type Engine,
  type PostgresStore,
  type SqliteStore,
} from '#platform/store/index.ts'
import { startPostgres, type Postgres } from './postgres/index.ts'
import type { Scope } from './service.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

export const ENGINES: readonly Engine[] = ['sqlite', 'postgres']

/** What is promised of every store is tried on each. */
export function testOnEachEngine(
  name: string,
  run: (t: TestContext, engine: Engine) => Promise<void>,
): void {
  for (const engine of ENGINES) test(`${name} (${engine})`, (t) => run(t, engine))
}

interface Stores {
  readonly sqlite: SqliteStore
  readonly postgres: PostgresStore
}

export interface OpenedStore<Which extends Engine = Engine> {
  readonly store: Stores[Which]
  readonly directory: string
  /** Where a second replica finds the same store; undefined where there can be none. */
  readonly databaseUrl: string | undefined
}

/** An empty store; its directory is gone when the test is over. Closing it is left to the caller. */
export async function openEmptyStore<Which extends Engine>(
  scope: Scope,
  engine: Which,
): Promise<OpenedStore<Which>> {
  const databaseUrl = engine === 'postgres' ? await createDatabase() : undefined
  // Which store it is follows from the URL.
  return (await openStoreAt(scope, databaseUrl)) as OpenedStore<Which>
}

/** The store of that database, as one more replica opens it; without one, an embedded store. */
export async function openStoreAt(
  scope: Scope,
  databaseUrl: string | undefined,
): Promise<OpenedStore> {
  const directory = makeTemporaryDirectory(scope)
  return { store: await openStore({ dataDir: directory, databaseUrl }), directory, databaseUrl }
}

/** Opens the store beside the service, as whoever tampers with it would, and runs these there. */
export async function runBeside(
  { directory, databaseUrl }: Pick<OpenedStore, 'directory' | 'databaseUrl'>,
  statements: readonly string[],
): Promise<void> {
  const text = statements.join(';')
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(join(directory, 'parley.db'), { timeout: 5_000 })
    database.exec(`pragma synchronous = off; begin immediate; ${text}; commit`)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

let starting: Promise<Postgres> | undefined

/** One server serves all tests of a file. */
async function createDatabase(): Promise<string> {
  starting ??= startPostgres()
  return (await starting).createDatabase()
}

after(async () => {
  await (await starting)?.close()
})
