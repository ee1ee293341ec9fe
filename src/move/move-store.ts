import { systemClock, type Clock } from '#platform/clock.ts'
import { describeDatabase } from '#platform/postgres-url.ts'
import {
  isStoreUnavailable,
  markAsMoved,
  migrate,
  openBulkStore,
  StoreUnreachable,
  type BulkPostgres,
  type SqliteStore,
} from '#platform/store/index.ts'
import { MIGRATIONS } from '#tables.ts'
import { checkTarget } from './check-target.ts'
import { CopyDiffers, fillTarget, type Proof } from './fill-target.ts'
import { MoveRefused } from './move-refused.ts'
import { openSource, prepareSource } from './open-source.ts'
import type { Progress, Step } from './progress.ts'

export interface MoveOptions {
  /** Where the embedded store is. */
  readonly dataDir: string
  /** Of the PostgreSQL that is to have its rows. */
  readonly databaseUrl: string
  readonly onProgress: (progress: Progress) => void
  /** Ends the move: nothing is moved then. */
  readonly signal: AbortSignal
  readonly clock?: Clock
}

export interface Move extends Proof {
  /** `differs`: the copy was not the same as its source, and is gone again. */
  readonly kind: 'moved' | 'differs'
  /** Host, port and database of the target. */
  readonly place: string
  /** False where the directory could not be marked, so that a service would start on the old copy. */
  readonly isMarked: boolean
}

/**
 * Moves an embedded store into an empty PostgreSQL. Either all of it is there in the end, and proven to
 * be the same, or nothing. The embedded store keeps its rows, and is marked as moved. Throws a
 * MoveRefused where it cannot be done.
 */
export async function moveStore(options: MoveOptions): Promise<Move> {
  const { dataDir, databaseUrl, signal } = options
  const place = describeDatabase(databaseUrl)
  const source = await openSource(dataDir)
  try {
    const target = await openTarget(databaseUrl)
    const breakOff = (): void => target.breakOff()
    signal.addEventListener('abort', breakOff)
    try {
      return await moveRows(options, { source, target, place })
    } finally {
      signal.removeEventListener('abort', breakOff)
      await target.close()
    }
  } finally {
    await source.close()
  }
}

interface Ends {
  readonly source: SqliteStore
  readonly target: BulkPostgres
  readonly place: string
}

async function moveRows(options: MoveOptions, { source, target, place }: Ends): Promise<Move> {
  const { dataDir, onProgress, signal, clock = systemClock } = options
  const onStep = (step: Step): void => {
    signal.throwIfAborted()
    onProgress({ kind: 'step', step })
  }
  let isCommitting = false
  const onCommit = (): void => {
    isCommitting = true
  }
  try {
    // First what is quick to see, and changes nothing.
    await checkTarget(target.db, place)
    await prepareSource({ store: source, dataDir, clock, onStep })
    onStep('make_tables')
    await migrate(target, MIGRATIONS)
    const ends = { source: source.reads, target: target.db, place }
    const proof = await fillTarget({ ...ends, signal, onProgress, onCommit })
    return { kind: 'moved', place, ...proof, isMarked: tryToMark(dataDir, place, clock) }
  } catch (error) {
    if (error instanceof CopyDiffers) {
      return { kind: 'differs', place, ...error.proof, isMarked: false }
    }
    if (isCommitting && isStoreUnavailable(error)) throw explainLostCommit(place, error)
    throw signal.aborted ? explainInterruption(error) : explainFailure(place, error)
  }
}

async function openTarget(databaseUrl: string): Promise<BulkPostgres> {
  try {
    return await openBulkStore(databaseUrl)
  } catch (cause) {
    if (cause instanceof StoreUnreachable) throw new MoveRefused(cause.message, { cause })
    throw cause
  }
}

/** The rows are moved by then: a mark that cannot be written does not undo it. */
function tryToMark(dataDir: string, place: string, clock: Clock): boolean {
  try {
    markAsMoved(dataDir, place, clock.nowMs())
    return true
  } catch {
    return false
  }
}

function explainInterruption(cause: unknown): MoveRefused {
  return new MoveRefused(
    'Interrupted: nothing was moved, and the embedded store is as it was. Run this again to move it.',
    { cause },
  )
}

function explainLostCommit(place: string, cause: unknown): MoveRefused {
  return new MoveRefused(
    `The connection to ${place} was lost during the commit, so whether the rows are there is not known. ` +
      'Run this again: where it finds the database not empty, all of them are there.',
    { cause },
  )
}

/** What PostgreSQL says has its code, perhaps behind what the migrator says. Anything else is a bug. */
function explainFailure(place: string, error: unknown): unknown {
  if (error instanceof MoveRefused || !(error instanceof Error)) return error
  const found = error.cause instanceof Error ? error.cause : error
  const code = 'code' in found ? found.code : undefined
  if (code === '55P03') {
    return new MoveRefused(
      `The tables at ${place} are in use. End what uses them, such as another move, then run this again.`,
      { cause: error },
    )
  }
  if (isStoreUnavailable(found)) {
    return new MoveRefused(
      `The database at ${place} is gone (${found.message}). Nothing was moved: run this again when it is back.`,
      { cause: error },
    )
  }
  if (typeof code !== 'string' && error === found) return error
  return new MoveRefused(`Nothing was moved: at ${place}, ${found.message}.`, { cause: error })
}
