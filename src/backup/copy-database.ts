import { join } from 'node:path'
import { devNull } from 'node:os'
import { sql, type Kysely, type Transaction } from 'kysely'
import { describeDatabase } from '#platform/postgres-url.ts'
import { makePrivate, openBulkStore, StoreUnreachable } from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import type { Copy, Copying } from './copying.ts'
import { inspectRows, inSnapshot, type Inspection } from './inspect-rows.ts'
import { addressTool, findTool, runTool } from './postgres-tools.ts'
import { watchSize } from './watch-size.ts'

/**
 * Dumps a database by `pg_dump` while replicas run on it. Its books are added up in the same snapshot
 * that is dumped, so what they say is true of the dump.
 */
export async function copyDatabase(databaseUrl: string, copying: Copying): Promise<Copy> {
  const { to, signal, onProgress } = copying
  const place = describeDatabase(databaseUrl)
  const version = await findTool('pg_dump', copying)
  await findTool('pg_restore', copying)
  const name = 'parley.dump'
  const path = join(to, name)
  makePrivate(path)
  const inspection = await withDatabase(databaseUrl, (db) =>
    inSnapshot(db, async (tx) => {
      await refuseOldTool(tx, version)
      // It waits for the dump, which may take hours, with nothing more to say.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      const { rows } = await sql<{ id: string }>`select pg_export_snapshot() as id`.execute(tx)
      const watch = watchSize(path, undefined, onProgress)
      try {
        return await dumpAndInspect(
          tx,
          { databaseUrl, place, path, id: rows[0]?.id ?? '' },
          copying,
        )
      } finally {
        watch.end()
      }
    }),
  )
  signal.throwIfAborted()
  onProgress({ kind: 'step', step: 'check' })
  // Reads all of it, and so finds what was not written as it should be.
  await runTool('pg_restore', [`--file=${devNull}`, path], copying)
  return { name, ...inspection }
}

/** One connection for as long as the work takes. */
export async function withDatabase<Result>(
  databaseUrl: string,
  work: (db: Kysely<object>) => Promise<Result>,
): Promise<Result> {
  const store = await openBulkStore(databaseUrl).catch((cause: unknown) => {
    throw cause instanceof StoreUnreachable ? new BackupRefused(cause.message, { cause }) : cause
  })
  try {
    return await work(store.db)
  } finally {
    await store.close()
  }
}

interface Dump {
  readonly databaseUrl: string
  readonly place: string
  readonly path: string
  /** Of the snapshot. */
  readonly id: string
}

/** Side by side: the dump is another process's work. The snapshot must last as long as both. */
async function dumpAndInspect(
  tx: Transaction<object>,
  { databaseUrl, place, path, id }: Dump,
  { env, signal }: Copying,
): Promise<Inspection> {
  const breakOff = new AbortController()
  const tool = addressTool(databaseUrl, env)
  const args = [
    '--format=custom',
    `--snapshot=${id}`,
    // What is under way there is over by the time of a restore.
    '--exclude-table-data=gate_*',
    '--no-password',
    `--file=${path}`,
    tool.dbname,
  ]
  const dumping = runTool('pg_dump', args, {
    env: tool.env,
    signal: AbortSignal.any([signal, breakOff.signal]),
  })
  // Awaited below, where the other's failure comes first.
  dumping.catch(() => {})
  try {
    const inspection = await inspectRows(tx, place)
    await dumping
    return inspection
  } catch (error) {
    breakOff.abort()
    await dumping.catch(() => {})
    throw error
  }
}

/** It would refuse as well, without a word of what to install. */
async function refuseOldTool(tx: Transaction<object>, version: number): Promise<void> {
  const { rows } = await sql<{ server: number }>`
    select current_setting('server_version_num')::int / 10000 as server
  `.execute(tx)
  const server = rows[0]?.server ?? version
  if (version >= server) return
  throw new BackupRefused(
    `pg_dump is of PostgreSQL ${version}, and the server of ${server}: it cannot dump that. Install the ` +
      `client of version ${server} or a later one (Debian and Ubuntu: apt-get install postgresql-client-${server}).`,
  )
}
