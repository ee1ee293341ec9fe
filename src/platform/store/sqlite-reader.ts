import { Kysely } from 'kysely'
import { openSqliteConnection } from './sqlite-connection.ts'
import { createLock, createSqliteDialect } from './sqlite-dialect.ts'

/** The database file of an embedded store, read by somebody beside its owner. */
export interface SqliteReader {
  readonly db: Kysely<object>
  /**
   * Writes the database as it is at one moment, as one transaction, to a file that is empty or not there.
   * The owner goes on writing meanwhile. What was written is not on the disk before somebody sees to it.
   */
  copyTo(path: string): Promise<void>
  close(): Promise<void>
}

/** Rejects where the file is no database that can be read. */
export async function openSqliteReader(path: string): Promise<SqliteReader> {
  const connection = openSqliteConnection({ path, readOnly: true })
  try {
    await connection.query('select 1 from sqlite_schema', [])
  } catch (error) {
    await connection.close()
    // What SQLite says of the file is behind what the thread says of itself.
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  }
  return {
    db: new Kysely({ dialect: createSqliteDialect(connection, createLock()) }),
    // By no copy of pages (SQLite's backup API): another process's writes would have it begin anew.
    async copyTo(target) {
      await connection.query('vacuum into ?', [target])
    },
    close: () => connection.close(),
  }
}
