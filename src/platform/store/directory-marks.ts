import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreMoved, StoreUnreachable } from './store-errors.ts'

const MOVED = 'MOVED'
const RESTORING = 'RESTORING'

/**
 * Says in the directory of an embedded store that its rows live elsewhere now. Two services, one on
 * either copy, would let every balance be spent twice.
 */
export function markAsMoved(directory: string, place: string, atMs: number): void {
  const at = new Date(atMs).toISOString()
  writeFileSync(
    join(directory, MOVED),
    `moved to PostgreSQL at ${place} on ${at}\n` +
      'No service starts on the store in this directory while this file is there.\n',
  )
}

/**
 * Says in a data directory that a backup is being restored into it, until that is undone: what a restore
 * that was killed has left there is not whole.
 */
export function markAsRestoring(directory: string, from: string): void {
  writeFileSync(
    join(directory, RESTORING),
    `being restored from ${from}\nNo service starts on this directory while this file is there.\n`,
    { mode: 0o600, flush: true },
  )
}

export function unmarkAsRestoring(directory: string): void {
  rmSync(join(directory, RESTORING), { force: true })
}

/** Throws a StoreMoved where the rows of the store live elsewhere now. */
export function refuseMoved(directory: string): void {
  const mark = readMark(directory, MOVED)
  if (mark === undefined) return
  throw new StoreMoved(
    `The store in ${directory} was ${mark}. Set DATABASE_URL to use it there. ` +
      `To use this old copy all the same, delete ${join(directory, MOVED)}.`,
  )
}

/** Throws a StoreUnreachable where a restore into the directory has not come to its end. */
export function refuseHalfRestored(directory: string): void {
  const mark = readMark(directory, RESTORING)
  if (mark === undefined) return
  throw new StoreUnreachable(
    `The data in ${directory} is not whole: it was ${mark}, and that has not ended. Wait for it; where it ` +
      'was broken off, restore again into a new directory or database: parley restore.',
  )
}

function readMark(directory: string, name: string): string | undefined {
  try {
    return readFileSync(join(directory, name), 'utf8').split('\n', 1)[0]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Where the directory itself is none, whoever opens it says so.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
