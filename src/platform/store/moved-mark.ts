import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreMoved } from './store-errors.ts'

const NAME = 'MOVED'

/**
 * Says in the directory of an embedded store that its rows live elsewhere now. Two services, one on
 * either copy, would let every balance be spent twice.
 */
export function markAsMoved(directory: string, place: string, atMs: number): void {
  const at = new Date(atMs).toISOString()
  writeFileSync(
    join(directory, NAME),
    `moved to PostgreSQL at ${place} on ${at}\n` +
      'No service starts on the store in this directory while this file is there.\n',
  )
}

/** Throws a StoreMoved where the directory has the mark. */
export function refuseMoved(directory: string): void {
  const mark = readMark(directory)
  if (mark === undefined) return
  throw new StoreMoved(
    `The store in ${directory} was ${mark}. Set DATABASE_URL to use it there. ` +
      `To use this old copy all the same, delete ${join(directory, NAME)}.`,
  )
}

function readMark(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, NAME), 'utf8').split('\n', 1)[0]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Where the directory itself is none, whoever opens it says so.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
