import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { describeDatabase } from '../postgres-url.ts'
import { createPool } from './postgres-store.ts'
import { StoreUnreachable } from './store-errors.ts'

/** One connection for work that takes long, beside no service. */
export interface BulkPostgres {
  readonly engine: 'postgres'
  readonly db: Kysely<object>
  /** Ends the connection at once, in the middle of a statement too: what is not committed is gone. */
  breakOff(): void
  close(): Promise<void>
}

/** How soon the database sees in the middle of a statement that we are gone, and rolls it back. */
const check = CompiledQuery.raw("set client_connection_check_interval = '1s'")
const ignore = (): void => {}

export async function openBulkPostgres(url: string): Promise<BulkPostgres> {
  const pool = createPool(url, 'bulk')
  let breakOff = (): void => {}
  pool.on('connect', (client) => {
    breakOff = () => void client.end()
  })
  const db = new Kysely<object>({
    dialect: new PostgresDialect({
      pool,
      // Not every system that PostgreSQL runs on can do it; then it is seen when the statement ends.
      onCreateConnection: (connection) => connection.executeQuery(check).then(ignore, ignore),
    }),
  })
  try {
    await sql`select 1`.execute(db)
  } catch (cause) {
    await db.destroy()
    const { message, code } = cause as NodeJS.ErrnoException
    throw new StoreUnreachable(
      `PostgreSQL at ${describeDatabase(url)} cannot be used: ${message || code}. ` +
        'See that it runs, that the database exists and that this user may connect to it.',
      { cause },
    )
  }
  return {
    engine: 'postgres',
    db,
    breakOff: () => breakOff(),
    close: () => db.destroy(),
  }
}
