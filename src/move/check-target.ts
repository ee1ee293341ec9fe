import { sql, type Kysely } from 'kysely'
import { countLiveReplicas } from '#gate/index.ts'
import { TABLES } from '#tables.ts'
import { MoveRefused } from './move-refused.ts'

/** Throws where the database is not one to fill: it has rows, a service, or is somebody else's. */
export async function checkTarget(db: Kysely<object>, place: string): Promise<void> {
  const names = Object.keys(TABLES)
  const [there, [migrated], [gate]] = [
    await findTables(db, names),
    await findTables(db, ['kysely_migration']),
    await findTables(db, ['gate_replica']),
  ]
  if (there.length > 0 && !migrated) {
    throw new MoveRefused(
      `The database at ${place} has tables that Parley did not make (${there.join(', ')}). ` +
        'Make a database for Parley alone, and give --to its address.',
    )
  }
  const used = there.filter((name) => TABLES[name]?.madeAtStart !== true)
  const filled = await findFilled(db, used)
  if (filled.length > 0) {
    throw new MoveRefused(
      `The database at ${place} is not empty: it has rows in ${filled.join(', ')}. ` +
        'A store is moved only into an empty one: make a new database, and give --to its address.',
    )
  }
  const live = gate ? await countLiveReplicas(db) : 0
  if (live > 0) {
    throw new MoveRefused(
      `A service is running on the database at ${place} (replicas: ${live}). Stop it, then run this ` +
        'again; one that was killed counts for a quarter of a minute more.',
    )
  }
}

async function findTables(db: Kysely<object>, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name where to_regclass(name) is not null
  `.execute(db)
  return rows.map(({ name }) => name)
}

async function findFilled(db: Kysely<object>, tables: readonly string[]): Promise<string[]> {
  const filled: string[] = []
  for (const table of tables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db)
    if (rows.length > 0) filled.push(table)
  }
  return filled
}
