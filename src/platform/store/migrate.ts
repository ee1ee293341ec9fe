import { readFile } from 'node:fs/promises'
import { sql, type Kysely } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { StoreTooNew } from './store-errors.ts'
import type { Migrations, Store } from './store.ts'

/** How Kysely says that a migration was run which it is not given. */
const NEWER = /previously executed migration (\S+) is missing/

/** Brings the store's tables up to date. Each migration is one transaction: all of it or nothing. */
export async function migrate(
  store: Pick<Store, 'engine' | 'db'>,
  rooms: readonly Migrations[],
): Promise<void> {
  const { engine } = store
  const steps = Object.entries(Object.assign({}, ...rooms) as Migrations)
  const migrations = steps.map(
    ([name, up]) => [name, { up: (db: Kysely<unknown>) => up(db, engine) }] as const,
  )
  const migrator = new Migrator({
    db: store.db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const newer = NEWER.exec(error instanceof Error ? error.message : '')?.[1]
  if (newer !== undefined) {
    throw new StoreTooNew(
      `This store was brought up to date by a newer version (${newer}), and this one does not know it. ` +
        'Start the newer version, or restore the backup from before the upgrade: parley restore (docs/operate/upgrade.md).',
      { cause: error },
    )
  }
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  throw new Error(`The store could not be brought up to date${failed ? ` (${failed})` : ''}.`, {
    cause: error,
  })
}

export interface FoundMigrations {
  /** Those that were run, in the order of their names. */
  readonly run: readonly string[]
  /** Those that a newer version has run. */
  readonly unknown: readonly string[]
  /** Those that the next start will run. */
  readonly missing: readonly string[]
}

/** Which version's tables a store has. Undefined where it has none: Parley did not make it. */
export async function findMigrations(
  db: Kysely<object>,
  rooms: readonly Migrations[],
): Promise<FoundMigrations | undefined> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return undefined
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name
  `.execute(db)
  const run = rows.map(({ name }) => name)
  const known = rooms.flatMap((room) => Object.keys(room))
  return {
    run,
    unknown: run.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !run.includes(name)),
  }
}

/** For migrations, where tables read best as SQL. The texts are ours alone. */
export async function runStatements(
  db: Kysely<unknown>,
  ...statements: readonly string[]
): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** For what reads best in a file of its own; a URL beside the migration that runs it. PostgreSQL only. */
export async function runSqlFile(db: Kysely<unknown>, file: URL): Promise<void> {
  await sql.raw(await readFile(file, 'utf8')).execute(db)
}
