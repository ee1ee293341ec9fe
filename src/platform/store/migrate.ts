import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migrations, Store } from './store.ts'

/** Brings the store's tables up to date. Each migration is one transaction: all of it or nothing. */
export async function migrate(store: Store, rooms: readonly Migrations[]): Promise<void> {
  const migrations = Object.assign({}, ...rooms) as Migrations
  const migrator = new Migrator({
    db: store.db,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error === undefined) return
  const failed = results?.find((result) => result.status === 'Error')?.migrationName
  throw new Error(`The store could not be brought up to date${failed ? ` (${failed})` : ''}.`, {
    cause: error,
  })
}

/** For migrations, where tables read best as SQL. The texts are ours alone. */
export async function runStatements(
  db: Kysely<unknown>,
  ...statements: readonly string[]
): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
