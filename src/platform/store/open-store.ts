import type { BulkPostgres } from './bulk-postgres.ts'
import type { Store } from './store.ts'

/** Opens PostgreSQL where a URL is given, else the embedded store in the directory. */
export async function openStore(where: {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}): Promise<Store> {
  const { databaseUrl, dataDir } = where
  // Each is loaded only where it is used: a start should not wait for the other's driver.
  if (databaseUrl === undefined) {
    const { openSqliteStore } = await import('./sqlite-store.ts')
    return openSqliteStore(dataDir)
  }
  const { openPostgresStore } = await import('./postgres-store.ts')
  return openPostgresStore(databaseUrl, dataDir)
}

/** Opens a PostgreSQL for long work alone, such as filling it. */
export async function openBulkStore(databaseUrl: string): Promise<BulkPostgres> {
  const { openBulkPostgres } = await import('./bulk-postgres.ts')
  return openBulkPostgres(databaseUrl)
}
