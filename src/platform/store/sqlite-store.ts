import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { refuseHalfRestored, refuseMoved } from './directory-marks.ts'
import { makePrivate, ownDirectory } from './own-directory.ts'
import { StoreUnreachable } from './store-errors.ts'
import { createLock, createSqliteDialect } from './sqlite-dialect.ts'
import type { Procedure, SqliteStore } from './store.ts'

/**
 * Opens the embedded store in a directory, making both where they are missing. One process owns it:
 * the gate keeps its state in memory, and a second process would let money be spent twice.
 */
export async function openSqliteStore(directory: string): Promise<SqliteStore> {
  refuseMoved(directory)
  refuseHalfRestored(directory)
  const disown = ownDirectory(directory)
  const path = sqlitePathOf(directory)
  // SQLite gives the files that it puts beside the database the same mode.
  makePrivate(path)
  const writer = openSqliteConnection({ path, readOnly: false })
  // Fails here, not at the first request, where the file cannot be opened.
  await writer.query('select 1', []).catch((cause: unknown) => {
    disown()
    throw new StoreUnreachable(describeUnusable(path, cause as Error), { cause })
  })
  const lock = createLock()
  const reader = openReaderWhenNeeded(path)
  return {
    engine: 'sqlite',
    db: new Kysely({ dialect: createSqliteDialect(writer, lock) }),
    reads: new Kysely({ dialect: createSqliteDialect(reader, createLock()) }),
    async run<Input, Output>(procedure: Procedure<Input, Output>, input: Input) {
      await lock.acquire()
      try {
        return (await writer.procedure(procedure.url.href, input)) as Output
      } finally {
        lock.release()
      }
    },
    async close() {
      await reader.close()
      await lock.acquire()
      await writer.close()
      disown()
      // Whoever comes later is told that the connection is closed.
      lock.release()
    },
  }
}

/** What SQLite says of it is told: a file that is none of its own, for instance. */
function describeUnusable(path: string, { message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message : message
  return (
    `The store in ${path} cannot be opened: ${reason}. Put its directory aside as it is, and ` +
    'restore a backup into a new one: parley restore (docs/operate/backup.md).'
  )
}

/** For those who must not make one where there is none. */
export function hasSqliteStore(directory: string): boolean {
  return existsSync(sqlitePathOf(directory))
}

/** Where the database of an embedded store is. */
export function sqlitePathOf(directory: string): string {
  return join(directory, 'parley.db')
}

/** Most starts are followed by requests long before the first list: the thread can wait. */
function openReaderWhenNeeded(path: string): SqliteConnection {
  let opened: SqliteConnection | undefined
  const open = () => (opened ??= openSqliteConnection({ path, readOnly: true }))
  return {
    query: (sql, parameters) => open().query(sql, parameters),
    procedure: (url, input) => open().procedure(url, input),
    close: async () => opened?.close(),
  }
}
