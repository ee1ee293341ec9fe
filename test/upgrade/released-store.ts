import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Engine } from '#platform/store/index.ts'

/** What the last release left in a store, and what is to be found there: by `npm run release:store`. */
export interface ReleasedStore {
  /** Of Parley. */
  readonly version: string
  /** When the last of it was done, by the clock of the service. */
  readonly endedAtMs: number
  /** All that its operator could read. */
  readonly read: Readonly<Record<string, unknown>>
  /** Counts and sums of its tables; amounts in nano-euros. */
  readonly figures: readonly ReleasedFigure[]
  /** Keys that could be called with, and one that was revoked. */
  readonly keys: { readonly paying: string; readonly revoked: string; readonly accountId: string }
  readonly people: {
    /** Who has let the app know of them. */
    readonly ana: string
    /** Who needs a code besides the password. */
    readonly bruno: string
    readonly totpUri: string
  }
  readonly app: { readonly clientId: string; readonly redirectUri: string }
}

export interface ReleasedFigure {
  readonly table: string
  readonly name: string
  readonly value: string
}

const FACTS = new URL('released-store.json', import.meta.url)
const SQL: Readonly<Record<Engine, URL>> = {
  sqlite: new URL('released-sqlite.sql', import.meta.url),
  postgres: new URL('released-postgres.sql', import.meta.url),
}

export function readReleasedStore(): ReleasedStore {
  return JSON.parse(readFileSync(FACTS, 'utf8')) as ReleasedStore
}

export function writeReleasedStore(store: ReleasedStore, sql: Record<Engine, string>): void {
  writeFileSync(FACTS, `${JSON.stringify(store, null, 1)}\n`)
  for (const engine of ['sqlite', 'postgres'] as const) writeFileSync(SQL[engine], sql[engine])
}

/** Makes the store as the release left it, in an empty directory. */
export function loadSqlite(directory: string): void {
  const database = new DatabaseSync(join(directory, 'parley.db'))
  database.exec(`begin; ${readFileSync(SQL.sqlite, 'utf8')} commit`)
  database.close()
}

/** The same in an empty database. */
export async function loadPostgres(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(readFileSync(SQL.postgres, 'utf8'))
  } finally {
    await client.end()
  }
}
