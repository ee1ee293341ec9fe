import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  hasSqliteStore,
  makePrivate,
  openSqliteReader,
  refuseHalfRestored,
  refuseMoved,
  sqlitePathOf,
  StoreMoved,
  StoreUnreachable,
  type SqliteReader,
} from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import type { Copy, Copying } from './copying.ts'
import { inspectRows, inSnapshot, type Inspection } from './inspect-rows.ts'
import type { OnProgress } from './progress.ts'
import { watchSize } from './watch-size.ts'

/** Copies the embedded store in a directory, beside the service that owns it, and looks through the copy. */
export async function copyStore(
  dataDir: string,
  { to, signal, onProgress }: Copying,
): Promise<Copy> {
  refuseWhatIsNoStore(dataDir)
  const name = 'parley.db'
  const path = join(to, name)
  // SQLite writes into the file that is there, which nobody else may read.
  makePrivate(path)
  const source = await openReader(sqlitePathOf(dataDir))
  try {
    await copyRows(source, path, onProgress)
  } catch (cause) {
    throw new BackupRefused(
      `The store in ${dataDir} cannot be copied: ${(cause as Error).message}. Nothing was changed.`,
      { cause },
    )
  } finally {
    await source.close()
  }
  signal.throwIfAborted()
  onProgress({ kind: 'step', step: 'check' })
  return { name, ...(await inspectStore(path, dataDir)) }
}

/** What a file of an embedded store holds: whole, as SQLite sees it, and what its books say. */
export async function inspectStore(path: string, place: string): Promise<Inspection> {
  const reader = await openReader(path)
  try {
    const { rows } = await sql<{
      integrity_check: string
    }>`pragma integrity_check(1)`.execute(reader.db)
    const found = rows[0]?.integrity_check
    if (found !== 'ok') throw new BackupRefused(`The store of ${place} is damaged: ${found}.`)
    return await inSnapshot(reader.db, (tx) => inspectRows(tx, place))
  } finally {
    await reader.close()
  }
}

async function openReader(path: string): Promise<SqliteReader> {
  try {
    return await openSqliteReader(path)
  } catch (cause) {
    throw new BackupRefused(`The store in ${path} cannot be read: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

function refuseWhatIsNoStore(dataDir: string): void {
  if (!hasSqliteStore(dataDir)) {
    throw new BackupRefused(
      `There is no embedded store in ${dataDir}. Set PARLEY_DATA_DIR to the data directory of the service, ` +
        'or DATABASE_URL to its PostgreSQL.',
    )
  }
  try {
    refuseMoved(dataDir)
    refuseHalfRestored(dataDir)
  } catch (cause) {
    const isOfStore = cause instanceof StoreMoved || cause instanceof StoreUnreachable
    throw isOfStore ? new BackupRefused(cause.message, { cause }) : cause
  }
}

async function copyRows(source: SqliteReader, path: string, onProgress: OnProgress): Promise<void> {
  const { rows } = await sql<{ bytes: number }>`
    select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()
  `.execute(source.db)
  const watch = watchSize(path, rows[0]?.bytes, onProgress)
  try {
    await source.copyTo(path)
  } finally {
    watch.end()
  }
  const { size } = statSync(path)
  onProgress({ kind: 'bytes', bytes: size, total: size })
}
