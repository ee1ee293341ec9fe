import { MIGRATIONS } from '#tables.ts'
import { BackupRefused, explainFileFailure } from './backup-refused.ts'
import { readManifest, type Manifest } from './manifest.ts'
import { restoreDatabase } from './restore-database.ts'
import { restoreStore } from './restore-store.ts'
import type { Restoration, RestoreOptions } from './restoring.ts'

/**
 * Restores a backup into an empty directory, or an empty database. Either all of it is there in the end, and
 * proven to be what was backed up, or nothing. Throws a BackupRefused where it cannot be done.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restoration> {
  const { from, databaseUrl, signal } = options
  const manifest = readManifest(from)
  refuseNewer(from, manifest)
  refuseOtherEngine(manifest, databaseUrl)
  const restoring = { ...options, manifest }
  try {
    const restoration =
      databaseUrl === undefined
        ? await restoreStore(restoring)
        : await restoreDatabase(databaseUrl, restoring)
    return { manifest, ...restoration }
  } catch (error) {
    if (!signal.aborted || error instanceof BackupRefused) throw explainFileFailure(error)
    throw new BackupRefused('Interrupted: nothing was restored. Run this again to restore it.', {
      cause: error,
    })
  }
}

function refuseNewer(from: string, { version, migrations }: Manifest): void {
  const known = MIGRATIONS.flatMap((room) => Object.keys(room))
  const newer = migrations.filter((name) => !known.includes(name))
  if (newer.length === 0) return
  throw new BackupRefused(
    `The backup in ${from} was made by a newer version (${version}: ${newer.join(', ')}), whose tables ` +
      'this one does not know. Restore it by that version.',
  )
}

function refuseOtherEngine({ engine }: Manifest, databaseUrl: string | undefined): void {
  if (engine === 'sqlite' && databaseUrl !== undefined) {
    throw new BackupRefused(
      'This is the backup of an embedded store. Restore it into a directory (--to), then move it into ' +
        'PostgreSQL: parley migrate.',
    )
  }
  if (engine === 'postgres' && databaseUrl === undefined) {
    throw new BackupRefused(
      'This is the backup of a PostgreSQL. Make an empty database, and give its address by --to or ' +
        'DATABASE_URL.',
    )
  }
}
