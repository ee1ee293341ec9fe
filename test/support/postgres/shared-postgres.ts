import { after } from 'node:test'
import { startPostgres, type Postgres } from './start-postgres.ts'

/**
 * With PARLEY_TEST_STORE=postgres the tests that ask for no store in particular run on PostgreSQL:
 * each service on a database of its own, or on that of the directory that it opens again.
 */
const isAsked = process.env['PARLEY_TEST_STORE'] === 'postgres'

const urls = new Map<string, string>()
let starting: Promise<Postgres> | undefined

export async function createDatabaseIfAsked(dataDir?: string): Promise<string | undefined> {
  if (!isAsked) return undefined
  const known = dataDir === undefined ? undefined : urls.get(dataDir)
  if (known !== undefined) return known
  const url = await (await share()).createDatabase()
  if (dataDir !== undefined) urls.set(dataDir, url)
  return url
}

/** One server for all tests of a file, ended with the file. */
function share(): Promise<Postgres> {
  starting ??= startPostgres()
  return starting
}

if (isAsked) {
  after(async () => {
    await (await starting)?.close()
  })
}
