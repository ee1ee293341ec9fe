import type { Kysely, Transaction } from 'kysely'
import { verifyBooksWithin, type Verification } from '#ledger/index.ts'
import { findMigrations, readFigures } from '#platform/store/index.ts'
import { MIGRATIONS, TABLES } from '#tables.ts'
import { BackupRefused } from './backup-refused.ts'
import { toManifestFigures, type ManifestFigure } from './manifest.ts'

/** What is to be said of a store's rows, of one moment. */
export interface Inspection {
  readonly migrations: readonly string[]
  /** Undefined where the store is of an older version, whose tables this one does not know. */
  readonly contents:
    | { readonly figures: readonly ManifestFigure[]; readonly verification: Verification }
    | undefined
}

/** Counts, and adds up the books. Refuses what is no store, or a newer version's. */
export async function inspectRows(tx: Transaction<object>, place: string): Promise<Inspection> {
  const found = await findMigrations(tx, MIGRATIONS)
  if (!found) throw new BackupRefused(`What is at ${place} is no store that Parley made.`)
  if (found.unknown.length > 0) {
    throw new BackupRefused(
      `The store at ${place} is of a newer version (${found.unknown.join(', ')}), which this one does not ` +
        'know. Use the command of that version.',
    )
  }
  const { run: migrations } = found
  if (found.missing.length > 0) return { migrations, contents: undefined }
  const figures = toManifestFigures(await readFigures(tx, TABLES))
  return { migrations, contents: { figures, verification: await verifyBooksWithin(tx) } }
}

/** All of it as it was at one moment, whatever is written meanwhile. */
export function inSnapshot<Result>(
  db: Kysely<object>,
  work: (tx: Transaction<object>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().setIsolationLevel('repeatable read').execute(work)
}
