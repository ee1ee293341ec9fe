import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { Kysely } from 'kysely'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { createLock, createSqliteDialect } from './sqlite-dialect.ts'
import type { Procedure, Store } from './store.ts'

/** Another process has this store open. */
export class StoreInUse extends Error {}

/**
 * Opens the embedded store in a directory, making both where they are missing. One process owns it:
 * the gate keeps its state in memory, and a second process would let money be spent twice.
 */
export async function openSqliteStore(directory: string): Promise<Store> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'parley.db')
  // In a directory that others may enter, nobody else may read the files either; SQLite gives the
  // ones that it puts beside the database the same mode.
  for (const name of ['parley.lock', 'parley.db']) makePrivate(join(directory, name))
  const ownership = takeOwnership(directory)
  const writer = openSqliteConnection({ path, readOnly: false })
  // Fails here, not at the first request, where the file cannot be opened.
  await writer.query('select 1', [])
  const lock = createLock()
  const reader = openReaderWhenNeeded(path)
  return {
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
      if (ownership.isOpen) ownership.close()
      // Whoever comes later is told that the connection is closed.
      lock.release()
    },
  }
}

/** Makes the file where it is missing; the mode of one that is there is its owner's affair. */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
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

/** An exclusive lock that the operating system gives back however this process ends. */
function takeOwnership(directory: string): DatabaseSync {
  const owner = new DatabaseSync(join(directory, 'parley.lock'))
  try {
    owner.exec('begin exclusive')
    return owner
  } catch (error) {
    owner.close()
    throw new StoreInUse(
      `Another process is using the store in ${directory}. ` +
        'Stop it, or set PARLEY_DATA_DIR to another directory for this one.',
      { cause: error },
    )
  }
}
