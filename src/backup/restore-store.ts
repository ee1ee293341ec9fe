import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyPrivately, sync } from '#platform/files.ts'
import { markAsRestoring, unmarkAsRestoring } from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import { inspectStore } from './copy-store.ts'
import {
  ownDataDir,
  refuseDamaged,
  refuseDifferent,
  type Restoration,
  type Restoring,
} from './restoring.ts'

/** Restores an embedded store into an empty directory, or one that is not there yet. */
export async function restoreStore(restoring: Restoring): Promise<Omit<Restoration, 'manifest'>> {
  const { dataDir, from, onProgress, manifest } = restoring
  refuseFilled(dataDir)
  const isNew = !existsSync(dataDir)
  const disown = ownDataDir(dataDir)
  try {
    markAsRestoring(dataDir, from)
    onProgress({ kind: 'step', step: 'restore' })
    await copyFiles(restoring)
    onProgress({ kind: 'step', step: 'verify' })
    const { contents } = await inspectStore(join(dataDir, 'parley.db'), dataDir)
    refuseDifferent(manifest, contents)
    await sync(dataDir)
    restoring.signal.throwIfAborted()
    unmarkAsRestoring(dataDir)
    await sync(dataDir)
    return { place: dataDir, verification: contents?.verification }
  } catch (error) {
    // It was empty: all that is there is ours.
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true })
    if (isNew) rmSync(dataDir, { recursive: true })
    throw error
  } finally {
    disown()
  }
}

function refuseFilled(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : []
  if (names.length === 0) return
  const some = names.slice(0, 5).join(', ')
  throw new BackupRefused(
    names.includes('RESTORING')
      ? `A restore into ${dataDir} has not ended. Wait for it; where it was broken off, delete the ` +
          'directory, and run this again.'
      : `${dataDir} is not empty (${some}): a backup is restored only into a new directory. Put this one ` +
          'aside, or give another by --to.',
  )
}

async function copyFiles(restoring: Restoring): Promise<void> {
  const { from, dataDir, manifest, signal, onProgress } = restoring
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (more: number): void => {
    done += more
    onProgress({ kind: 'bytes', bytes: done, total: Math.max(total, done) })
  }
  for (const { name } of manifest.files) {
    const reading = { signal, onBytes }
    const copied = await copyPrivately(join(from, name), join(dataDir, name), reading)
    refuseDamaged(restoring, name, copied)
  }
}
