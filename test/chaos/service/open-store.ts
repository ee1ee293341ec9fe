import { openSqliteStore, type SqliteStore } from '#platform/store/index.ts'
import type { StoreErrors } from './break-store.ts'
import type { ServeOptions } from './orders.ts'

/** Opens the store of an engine, and says how that engine complains. */
export async function openStore({
  store,
  dataDir,
}: ServeOptions): Promise<{ readonly store: SqliteStore; readonly errors: StoreErrors }> {
  switch (store.engine) {
    case 'sqlite':
      return { store: await openSqliteStore(dataDir), errors: SQLITE_ERRORS }
  }
}

const SQLITE_ERRORS: StoreErrors = {
  // Extended codes, as node:sqlite gives them: IOERR_FSYNC, FULL, READONLY_DBMOVED.
  fails: () => sqliteError('disk I/O error', 1034),
  full: () => sqliteError('database or disk is full', 13),
  readOnly: () => sqliteError('attempt to write a readonly database', 1032),
}

function sqliteError(message: string, code: number): Error {
  return Object.assign(new Error(message), { code })
}
