import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '#platform/clock.ts'
import { copyPrivately, digestFile, sync } from '#platform/files.ts'
import { describeDatabase } from '#platform/postgres-url.ts'
import { explainFileFailure, BackupRefused } from './backup-refused.ts'
import { copyDatabase } from './copy-database.ts'
import { copyStore } from './copy-store.ts'
import type { Copying } from './copying.ts'
import type { FileName } from './backup-files.ts'
import type { Inspection } from './inspect-rows.ts'
import { writeManifest, type Manifest, type ManifestFile } from './manifest.ts'
import type { ToolOptions } from './postgres-tools.ts'
import type { OnProgress } from './progress.ts'
import { pruneBackups } from './prune-backups.ts'

export interface BackupOptions {
  /** Of the service: its embedded store, or what a replica keeps beside its database. */
  readonly dataDir: string
  /** Of the PostgreSQL; undefined: the embedded store. */
  readonly databaseUrl: string | undefined
  /** Where backups are, each a directory of its own. */
  readonly directory: string
  /** Whether the file `secret` of the data directory goes with it, where there is one. */
  readonly takesSecret: boolean
  /** How many backups of this store are left there; undefined: all. */
  readonly keep: number | undefined
  /** Of this Parley. */
  readonly version: string
  readonly clock: Clock
  readonly env: ToolOptions['env']
  readonly onProgress: OnProgress
  /** Ends it: nothing is left then. */
  readonly signal: AbortSignal
}

export interface Backup {
  readonly path: string
  readonly manifest: Manifest
  /** Sentences of the books; empty where they add up, or could not be asked. */
  readonly discrepancies: readonly string[]
  /** Paths of older backups that were deleted. */
  readonly pruned: readonly string[]
}

/**
 * Copies a store while its service runs, as it is at one moment, and adds up the books of the copy. It has
 * its name only when it is whole and on the disk. Throws a BackupRefused where it cannot be done.
 */
export async function takeBackup(options: BackupOptions): Promise<Backup> {
  const { directory, clock, keep } = options
  const madeAtMs = clock.nowMs()
  const name = nameOf(madeAtMs)
  const path = join(directory, name)
  const partial = makePartial(directory, name)
  try {
    const { manifest, discrepancies } = await writeBackup(options, partial, madeAtMs)
    options.signal.throwIfAborted()
    renameSync(partial, path)
    await sync(directory)
    // A backup whose books are wrong takes the place of none that has right ones.
    const pruned =
      keep !== undefined && discrepancies.length === 0
        ? pruneBackups({ directory, keep, source: manifest.source, nowMs: madeAtMs })
        : []
    return { path, manifest, discrepancies, pruned }
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw options.signal.aborted ? explainInterruption(error) : explainFileFailure(error)
  }
}

/** "parley-2026-11-22T03-17-00Z": in the order of their names they are in that of their times. */
function nameOf(atMs: number): string {
  return `parley-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

/** What was broken off is told from a backup by its name, and never in another one's way. */
function makePartial(directory: string, name: string): string {
  try {
    if (existsSync(join(directory, name))) {
      throw new BackupRefused(`${join(directory, name)} is there already: wait a second.`)
    }
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return mkdtempSync(join(directory, `.${name}.`))
  } catch (error) {
    throw explainFileFailure(error)
  }
}

async function writeBackup(options: BackupOptions, to: string, madeAtMs: number) {
  const { dataDir, databaseUrl, version } = options
  const copying: Copying = { ...options, to }
  options.onProgress({ kind: 'step', step: 'copy' })
  // Before the store: a charge that is booked in between is then in both, and is booked once.
  const files = [...(await copyBeside(options, to, 'spill.jsonl'))]
  const secret = options.takesSecret ? await copyBeside(options, to, 'secret') : []
  files.push(...secret)
  const source = databaseUrl === undefined ? dataDir : describeDatabase(databaseUrl)
  const { name, migrations, contents } =
    databaseUrl === undefined
      ? await copyStore(dataDir, copying)
      : await copyDatabase(databaseUrl, copying)
  await sync(join(to, name))
  files.unshift({ name, ...(await digestFile(join(to, name), options)) })
  const manifest: Manifest = {
    format: 1,
    version,
    made_at: new Date(madeAtMs).toISOString(),
    engine: databaseUrl === undefined ? 'sqlite' : 'postgres',
    source,
    migrations: [...migrations],
    secret: secret.length > 0 ? 'included' : 'apart',
    files,
    ...describeContents(contents),
  }
  writeManifest(to, manifest)
  await sync(to)
  return { manifest, discrepancies: contents?.verification.discrepancies ?? [] }
}

/** A file that the data directory need not have. */
async function copyBeside(
  { dataDir, signal }: BackupOptions,
  to: string,
  name: FileName,
): Promise<ManifestFile[]> {
  const path = join(dataDir, name)
  if (!existsSync(path)) return []
  return [{ name, ...(await copyPrivately(path, join(to, name), { signal })) }]
}

function describeContents(contents: Inspection['contents']): Pick<Manifest, 'books' | 'figures'> {
  if (!contents) return {}
  const { ok, transfers, accounts } = contents.verification
  return { books: { ok, transfers, accounts }, figures: [...contents.figures] }
}

function explainInterruption(cause: unknown): BackupRefused {
  return new BackupRefused('Interrupted: no backup was made. Run this again to make one.', {
    cause,
  })
}
