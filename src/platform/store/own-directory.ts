import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreInUse } from './store-errors.ts'

const SQLITE_BUSY = 5

/** Kept from the garbage collector, which would close them and so give the locks back. */
const owners = new Set<DatabaseSync>()

/**
 * Makes the directory where it is missing, and this process its only owner: by an exclusive lock that
 * the operating system gives back however this process ends. Returns what gives it back sooner.
 */
export function ownDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'parley.lock')
  makePrivate(path)
  const owner = new DatabaseSync(path)
  try {
    owner.exec('begin exclusive')
  } catch (error) {
    owner.close()
    // A disk that is full or read-only is nobody's possession.
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new StoreInUse(
      `Another process is using the data in ${directory}. ` +
        'Stop it, or set PARLEY_DATA_DIR to another directory for this one. To run several processes ' +
        'of one service, set DATABASE_URL to a PostgreSQL that they share.',
      { cause: error },
    )
  }
  owners.add(owner)
  return () => {
    if (owners.delete(owner)) owner.close()
  }
}

/**
 * Makes the file where it is missing; the mode of one that is there is its owner's affair. In a directory
 * that others may enter, nobody else may read the files either.
 */
export function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}
