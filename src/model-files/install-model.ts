import { existsSync, linkSync, renameSync, rmSync, statfsSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modelsDirectory } from '#models/index.ts'
import type { Clock } from '#platform/clock.ts'
import { copyPrivately, digestFile, sync } from '#platform/files.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import { ownDirectory, StoreInUse } from '#platform/store/index.ts'
import { download, type Downloading } from './download.ts'
import {
  ENGINE_BYTES,
  findEngineState,
  installEngine,
  type EngineInstalling,
  type EngineState,
} from './engine.ts'
import { explainFileFailure, ModelRefused } from './model-refused.ts'
import { findSource, type FileSource, type ModelSource, type Wish } from './model-source.ts'
import { countPart, partPathOf } from './part-file.ts'
import { readGguf, type GgufHeader } from './read-gguf.ts'

/** What an installation would do, for a person to agree to. Nothing was changed yet. */
export interface Plan {
  readonly dataDir: string
  readonly engine: EngineState
  readonly source: ModelSource
  /** Where the model will be. */
  readonly path: string
  /** Whether a file of its name is there already. */
  readonly isThere: boolean
  /** What is here of a download that was broken off. */
  readonly hereBytes: number
  readonly freeBytes: number
  /** Whether the file that is given is linked and not copied. */
  readonly isLinked: boolean
}

export interface Planning extends Wish {
  readonly dataDir: string
  readonly isLinked: boolean
}

/** Throws a ModelRefused where it could not be done. */
export async function planInstallation(planning: Planning): Promise<Plan> {
  const { dataDir, isLinked } = planning
  const source = await findSource(planning)
  if (isLinked && source.kind !== 'file') {
    throw new ModelRefused('Only a file of this machine can be linked: leave --link out.')
  }
  const path = join(modelsDirectory(dataDir), `${source.name}.gguf`)
  const plan: Plan = {
    dataDir,
    engine: findEngineState(dataDir),
    source,
    path,
    isThere: existsSync(path),
    hereBytes: source.kind === 'download' ? countPart(path, source) : 0,
    freeBytes: readFreeBytes(path),
    isLinked,
  }
  refuseOtherOfName(plan)
  refuseWithoutRoom(plan)
  return plan
}

export interface Installed {
  readonly path: string
  readonly header: GgufHeader
}

export interface Installing extends Downloading, Pick<EngineInstalling, 'env'> {
  readonly clock: Clock
}

/**
 * Does what was planned, and makes the model the one that the next start uses. Throws a ModelRefused where it
 * cannot be done; what was downloaded is kept then, unless it is wrong.
 */
export async function installModel(plan: Plan, how: Installing): Promise<Installed> {
  const { dataDir, engine, path } = plan
  const disown = ownModels(dataDir)
  try {
    if (engine.kind === 'missing') {
      how.onProgress({ kind: 'step', step: 'engine' })
      await installEngine(engine.packages, { dataDir, env: how.env, signal: how.signal })
    }
    await place(plan, how)
    const header = readHeader(path)
    // Of several the one that was changed last is used: this is now that one.
    const now = how.clock.nowMs() / 1_000
    utimesSync(path, now, now)
    return { path, header }
  } catch (error) {
    throw how.signal.aborted ? explainInterruption(plan) : explainFileFailure(error)
  } finally {
    disown()
  }
}

/** Makes this process the only one that changes the models of a data directory. */
export function ownModels(dataDir: string): () => void {
  try {
    return ownDirectory(modelsDirectory(dataDir))
  } catch (error) {
    if (!(error instanceof StoreInUse)) throw explainFileFailure(error)
    throw new ModelRefused(
      `Another parley model command is at work in ${modelsDirectory(dataDir)}. Wait for it, or end it.`,
      { cause: error },
    )
  }
}

async function place({ source, path, isThere, isLinked }: Plan, how: Installing): Promise<void> {
  if (isThere || existsSync(path)) return checkThere(path, source, how)
  if (source.kind === 'download') return download(path, source, how)
  if (!isLinked) how.onProgress({ kind: 'step', step: 'copy' })
  await checkFile(source, how)
  if (isLinked) linkSync(source.path, path)
  else await copyFile(source, path, how)
  await sync(dirname(path))
}

async function copyFile(source: FileSource, path: string, how: Installing): Promise<void> {
  const part = partPathOf(path)
  rmSync(part, { force: true })
  try {
    await copyPrivately(source.path, part, readingOf(source, how))
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

async function checkFile(source: FileSource, how: Installing): Promise<void> {
  if (source.sha256 === undefined) return
  const { sha256 } = await digestFile(source.path, readingOf(source, how))
  if (sha256 === source.sha256) return
  throw new ModelRefused(`${source.path} has another SHA-256: ${sha256}.`)
}

/** What is there under the name may be another model, or one that was damaged. */
async function checkThere(path: string, source: ModelSource, how: Installing): Promise<void> {
  how.onProgress({ kind: 'step', step: 'check' })
  const { sha256 } = await digestFile(path, readingOf(source, how))
  if (sha256 === source.sha256) return
  throw new ModelRefused(
    `There is another model at ${path} (its SHA-256 is ${sha256}). To replace it: parley model remove ${source.name}`,
  )
}

function readingOf({ sizeBytes }: ModelSource, { signal, onProgress }: Installing) {
  let done = 0
  return {
    signal,
    onBytes: (bytes: number) => {
      done += bytes
      onProgress({ kind: 'bytes', done, total: sizeBytes, from: 0 })
    },
  }
}

function readHeader(path: string): GgufHeader {
  const reading = readGguf(path)
  if (reading.kind === 'gguf') return reading.header
  throw new ModelRefused(`${path} cannot be run: ${reading.reason}.`)
}

/** What has a hash can be compared; of anything else nobody knows whether it is the same. */
function refuseOtherOfName({ isThere, path, source }: Plan): void {
  if (!isThere || source.sha256 !== undefined) return
  throw new ModelRefused(
    `There is a model at ${path} already. To replace it: parley model remove ${source.name}`,
  )
}

function refuseWithoutRoom(plan: Plan): void {
  const needed = countNeeded(plan)
  if (needed <= plan.freeBytes) return
  throw new ModelRefused(
    `There is no room for it in ${plan.dataDir}: it takes ${formatBytes(needed)}, and ${formatBytes(plan.freeBytes)} are free.`,
  )
}

/** Bytes that are still to be written, as far as anybody knows. */
function countNeeded({ engine, source, isThere, isLinked, hereBytes }: Plan): number {
  const forEngine = engine.kind === 'missing' ? ENGINE_BYTES : 0
  const forModel = isThere || isLinked ? 0 : (source.sizeBytes ?? 0) - hereBytes
  return forEngine + forModel
}

/** Of the file system that the path will be on. */
function readFreeBytes(path: string): number {
  let directory = dirname(path)
  while (!existsSync(directory)) directory = dirname(directory)
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function explainInterruption({ path, source }: Plan): ModelRefused {
  const part = partPathOf(path)
  const kept = existsSync(part) ? statSync(part).size : 0
  if (kept === 0) return new ModelRefused('Interrupted: nothing was installed.')
  return new ModelRefused(
    `Interrupted. What has come is kept (${formatBytes(kept)}, ${part}): run this again to go on with it, or give it ` +
      `up: parley model remove ${source.name}`,
  )
}
