import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** The first line that this prints, as JSON; the second is the complaints of a quick check. */
export interface SqliteFacts {
  readonly version: string
  readonly journalMode: string
  /** Those that were run; undefined where there is no list of them. */
  readonly migrations: readonly string[] | undefined
}

if (import.meta.main) {
  const [path = ''] = process.argv.slice(2)
  try {
    const database = openUnchanged(path)
    print({ ...readFacts(database), journalMode: readJournalMode(path) })
    print(quickCheck(database))
  } catch (error) {
    print({ error: (error as Error).message })
  }
}

/**
 * Beside a service its log is read with it. Without one there may be none, and to read a database of
 * that journal mode would make one: it is read as what nobody changes.
 */
function openUnchanged(path: string): DatabaseSync {
  if (existsSync(`${path}-wal`)) return new DatabaseSync(path, { readOnly: true })
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

function readFacts(database: DatabaseSync): Omit<SqliteFacts, 'journalMode'> {
  const [version] = list(database, 'select sqlite_version()')
  const [has] = list(database, "select 1 from sqlite_schema where name = 'kysely_migration'")
  return {
    version: String(version),
    migrations: has ? list(database, 'select name from kysely_migration').map(String) : undefined,
  }
}

/**
 * A database opened as what nobody changes says another mode than it has: the file's own head is asked,
 * whose 20th byte is the version of its format for readers (https://www.sqlite.org/fileformat.html).
 */
function readJournalMode(path: string): string {
  const head = Buffer.alloc(20)
  const file = openSync(path, 'r')
  readSync(file, head, 0, head.length, 0)
  closeSync(file)
  return head[19] === 2 ? 'wal' : 'other than wal'
}

function quickCheck(database: DatabaseSync): string[] {
  return list(database, 'pragma quick_check(10)')
    .map(String)
    .filter((line) => line !== 'ok')
}

/** The first column of each row. */
function list(database: DatabaseSync, sql: string): unknown[] {
  return database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0])
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
