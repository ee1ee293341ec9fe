import { globSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { manifestPathOf, readManifest } from './manifest.ts'

export interface PruneOptions {
  readonly directory: string
  /** How many are left, the newest; at least 1. */
  readonly keep: number
  /** Backups of other stores are not counted, and left. */
  readonly source: string
  readonly nowMs: number
}

const BACKUP = /^parley-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const PARTIAL = '.parley-*Z.*'
const DAY_MS = 86_400_000

/** Deletes all but the newest backups of one store, and what killed ones have left. Returns their paths. */
export function pruneBackups({ directory, keep, source, nowMs }: PruneOptions): string[] {
  const names = readdirSync(directory).filter((name) => BACKUP.test(name))
  const own = names.filter((name) => isOf(join(directory, name), source)).toSorted()
  const paths = own.slice(0, -keep).map((name) => join(directory, name))
  for (const path of paths) {
    // First what makes it a backup: one that is deleted by half is none.
    rmSync(manifestPathOf(path))
    rmSync(path, { recursive: true })
  }
  for (const name of globSync(PARTIAL, { cwd: directory })) {
    const path = join(directory, name)
    // Another backup may be at work on one that is younger.
    if (nowMs - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true })
  }
  return paths
}

/** What cannot be read is nobody's to delete. */
function isOf(path: string, source: string): boolean {
  try {
    return readManifest(path).source === source
  } catch {
    return false
  }
}
