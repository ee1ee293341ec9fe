import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { copyPrivately, digestFile, sync } from '#platform/files.ts'
import { describeDatabase } from '#platform/postgres-url.ts'
import { markAsRestoring, unmarkAsRestoring } from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import { withDatabase } from './copy-database.ts'
import type { FileName } from './backup-files.ts'
import { inspectRows, inSnapshot } from './inspect-rows.ts'
import { addressTool, findTool, runTool } from './postgres-tools.ts'
import {
  ownDataDir,
  refuseDamaged,
  refuseDifferent,
  type Restoration,
  type Restoring,
} from './restoring.ts'

const DUMP = 'parley.dump'

/** Restores a dump into an empty database, and what else there is into the data directory. */
export async function restoreDatabase(
  databaseUrl: string,
  restoring: Restoring,
): Promise<Omit<Restoration, 'manifest'>> {
  const { from, dataDir, signal } = restoring
  const place = describeDatabase(databaseUrl)
  await findTool('pg_restore', restoring)
  await withDatabase(databaseUrl, (db) => refuseFilled(db, place))
  await refuseDamagedFiles(restoring)
  const beside = await findMissingBeside(restoring)
  if (beside.length === 0) return fillAndVerify(databaseUrl, restoring, () => {})
  const disown = ownDataDir(dataDir)
  let isFilled = false
  try {
    // No service starts there before all of it is: a charge that was spilled belongs to the database.
    markAsRestoring(dataDir, from)
    const restored = await fillAndVerify(databaseUrl, restoring, () => {
      isFilled = true
    })
    for (const name of beside) {
      await copyPrivately(join(from, name), join(dataDir, name), { signal })
    }
    await sync(dataDir)
    isFilled = false
    return restored
  } finally {
    if (!isFilled) unmarkAsRestoring(dataDir)
    disown()
  }
}

async function fillAndVerify(
  databaseUrl: string,
  restoring: Restoring,
  onFilled: () => void,
): Promise<Omit<Restoration, 'manifest'>> {
  const place = describeDatabase(databaseUrl)
  await fill(databaseUrl, restoring)
  onFilled()
  restoring.onProgress({ kind: 'step', step: 'verify' })
  return withDatabase(databaseUrl, async (db) => {
    // The planner knows nothing of new rows yet, and adding up the books joins them.
    await sql`analyze`.execute(db)
    const { contents } = await inSnapshot(db, (tx) => inspectRows(tx, place))
    refuseDifferent(restoring.manifest, contents)
    return { place, verification: contents?.verification }
  })
}

/** All of it is one transaction: where it does not end, nothing is there. */
async function fill(
  databaseUrl: string,
  { from, env, signal, onProgress }: Restoring,
): Promise<void> {
  onProgress({ kind: 'step', step: 'restore' })
  const tool = addressTool(databaseUrl, env)
  const args = [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    '--no-password',
    tool.dbname,
    join(from, DUMP),
  ]
  await runTool('pg_restore', args, { env: tool.env, signal })
}

async function refuseFilled(db: Kysely<object>, place: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not like 'pg~_%' escape '~' and n.nspname <> 'information_schema'
      and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
    order by c.relname limit 5
  `.execute(db)
  if (rows.length === 0) return
  throw new BackupRefused(
    `The database at ${place} is not empty (${rows.map(({ name }) => name).join(', ')}): a backup is ` +
      'restored only into a new one. Make it (createdb), and give its address by --to.',
  )
}

async function refuseDamagedFiles(restoring: Restoring): Promise<void> {
  const { from, manifest, signal, onProgress } = restoring
  onProgress({ kind: 'step', step: 'check' })
  for (const { name } of manifest.files) {
    refuseDamaged(restoring, name, await digestFile(join(from, name), { signal }))
  }
}

/** What the backup has beside the database, and the data directory has not. Throws where it has another. */
async function findMissingBeside({ dataDir, manifest, signal }: Restoring): Promise<FileName[]> {
  const missing: FileName[] = []
  for (const { name, sha256 } of manifest.files) {
    const path = join(dataDir, name)
    if (name === DUMP) continue
    if (!existsSync(path)) missing.push(name)
    else if ((await digestFile(path, { signal })).sha256 !== sha256) {
      throw new BackupRefused(
        `${path} is another than that of the backup, and neither may be lost. Set PARLEY_DATA_DIR to a ` +
          'directory without it.',
      )
    }
  }
  return missing
}
