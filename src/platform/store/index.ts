export { withTables, type AnyDatabase, type AnyTransaction } from './tables.ts'
export { openBulkStore, openStore } from './open-store.ts'
export { hasSqliteStore, openSqliteStore, sqlitePathOf } from './sqlite-store.ts'
export { openSqliteReader, type SqliteReader } from './sqlite-reader.ts'
export { StoreInUse, StoreMoved, StoreTooNew, StoreUnreachable } from './store-errors.ts'
export {
  markAsMoved,
  markAsRestoring,
  refuseHalfRestored,
  refuseMoved,
  unmarkAsRestoring,
} from './directory-marks.ts'
export { makePrivate, ownDirectory } from './own-directory.ts'
export {
  compareFigures,
  isDifferent,
  readFigures,
  type Comparison,
  type Figure,
  type Unit,
} from './figures.ts'
export type { BulkPostgres } from './bulk-postgres.ts'
export type { StoredTable, StoredTables } from './stored-tables.ts'
export {
  isConnectionLost,
  isStoreUnavailable,
  isUniqueViolation,
  StoreGone,
} from './availability.ts'
export { CONNECTIONS } from './connections.ts'
export { inTransaction } from './in-transaction.ts'
export { findMigrations, migrate, runSqlFile, runStatements } from './migrate.ts'
export type {
  Engine,
  Migrations,
  PostgresStore,
  Procedure,
  SqliteProcedure,
  SqliteStore,
  Statement,
  Store,
} from './store.ts'
export type { DatabaseSync, StatementCache } from './sqlite-worker.ts'
