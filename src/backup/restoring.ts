import { join } from 'node:path'
import type { Verification } from '#ledger/index.ts'
import type { Digest } from '#platform/files.ts'
import { ownDirectory, StoreInUse } from '#platform/store/index.ts'
import { BackupRefused } from './backup-refused.ts'
import type { Inspection } from './inspect-rows.ts'
import { findDifferences, type Manifest } from './manifest.ts'
import type { ToolOptions } from './postgres-tools.ts'
import type { OnProgress } from './progress.ts'

export interface RestoreOptions {
  /** The directory that parley backup made. */
  readonly from: string
  /** Where a service is to find it: the embedded store, or what belongs beside the database. */
  readonly dataDir: string
  /** Of an empty PostgreSQL; undefined: into the data directory, which is then empty. */
  readonly databaseUrl: string | undefined
  readonly env: ToolOptions['env']
  readonly onProgress: OnProgress
  /** Ends it: nothing is restored then. */
  readonly signal: AbortSignal
}

export interface Restoring extends RestoreOptions {
  readonly manifest: Manifest
}

export interface Restoration {
  readonly manifest: Manifest
  /** The data directory, or host, port and name of the database. */
  readonly place: string
  /** Undefined where the backup is of an older version: a start brings its tables up to date first. */
  readonly verification: Verification | undefined
}

/** Keeps every service from the data directory meanwhile. Returns what gives it back. */
export function ownDataDir(dataDir: string): () => void {
  try {
    return ownDirectory(dataDir)
  } catch (cause) {
    throw cause instanceof StoreInUse ? new BackupRefused(cause.message, { cause }) : cause
  }
}

/** A damaged backup is told by its first file that is not what it was. */
export function refuseDamaged({ from, manifest }: Restoring, name: string, found: Digest): void {
  const told = manifest.files.find((file) => file.name === name)
  if (told?.sha256 === found.sha256 && told.bytes === found.bytes) return
  const how =
    told?.bytes === found.bytes
      ? 'its contents are others than those that were written'
      : `it has ${found.bytes} bytes, and had ${told?.bytes}`
  throw new BackupRefused(
    `${join(from, name)} is damaged: ${how}. Nothing was restored: take another backup.`,
  )
}

/** The same file says the same: what differs is the manifest, or what reads it. */
export function refuseDifferent(
  { figures }: Pick<Manifest, 'figures'>,
  contents: Inspection['contents'],
): void {
  if (!figures || !contents) return
  const differences = findDifferences(figures, contents.figures)
  if (differences.length === 0) return
  throw new BackupRefused(
    `What was restored is not what the backup says of itself: ${differences.slice(0, 10).join(', ')}.`,
  )
}
