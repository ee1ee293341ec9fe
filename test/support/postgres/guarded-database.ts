import { after } from 'node:test'
import { startPostgres, type Postgres } from './start-postgres.ts'

/** May never be printed, nor be in a backup: a test can look for it anywhere. */
export const PASSWORD = 'a-password-nobody-may-see'

let starting: Promise<Postgres> | undefined

/** An empty database whose URL has the password. One server serves all tests of a file. */
export async function createGuardedDatabase(): Promise<string> {
  starting ??= startPostgres()
  const url = new URL(await (await starting).createDatabase())
  url.password = PASSWORD
  return url.href
}

after(async () => {
  await (await starting)?.close()
})
