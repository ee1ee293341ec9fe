import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createId } from '#platform/ids.ts'
import { migrate, openBulkStore } from '#platform/store/index.ts'
import { MIGRATIONS, TABLES } from '../../src/tables.ts'
import { runCommand, type Ran } from '../cli/run-command.ts'
import { chat, hello, openAccount, type OpenedAccount } from '../support/call.ts'
import { bookCharge, makeCharge } from '../support/open-ledger.ts'
import { createGuardedDatabase } from '../support/postgres/guarded-database.ts'
import { serveFor, startService, type Service } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** Both ends of a move: a store that a service has used and left, and an empty database. */
export interface Ends {
  readonly dataDir: string
  readonly databaseUrl: string
}

/** A store with an account, a key and one paid request. */
export async function createEnds(t: TestContext): Promise<Ends & OpenedAccount> {
  const dataDir = makeTemporaryDirectory(t)
  const service = await startService({ dataDir, embedded: true })
  const account = await openAccount(service, { depositEur: '5.00' })
  await chat(service, account.key, 'air', hello)
  await service.close()
  return { dataDir, databaseUrl: await createGuardedDatabase(), ...account }
}

export function runMigrate(
  { dataDir, databaseUrl }: Ends,
  args: readonly string[] = [],
): Promise<Ran> {
  return runCommand(undefined, ['migrate', '--from', dataDir, '--to', databaseUrl, ...args])
}

/** A service on the copy, or on the store that was copied. */
export function serveEnd(
  t: TestContext,
  { dataDir, databaseUrl }: Partial<Ends>,
): Promise<Service> {
  if (databaseUrl !== undefined) return serveFor(t, { databaseUrl })
  return serveFor(t, { embedded: true, ...(dataDir !== undefined && { dataDir }) })
}

/** Makes the tables before the command does, so that a test can put something in its way there. */
export async function makeTables(databaseUrl: string, ...statements: string[]): Promise<void> {
  const target = await openBulkStore(databaseUrl)
  await migrate(target, MIGRATIONS)
  await target.close()
  await query(databaseUrl, statements.join(';'))
}

export async function query(
  databaseUrl: string,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** The tables of a database that have rows of their own: none that a start makes. */
export async function findFilled(databaseUrl: string): Promise<string[]> {
  const filled: string[] = []
  for (const [table, { madeAtStart }] of Object.entries(TABLES)) {
    if (madeAtStart) continue
    const [there] = await query(databaseUrl, `select to_regclass('${table}') as name`)
    if (there?.['name'] === null) continue
    if ((await query(databaseUrl, `select from ${table} limit 1`)).length > 0) filled.push(table)
  }
  return filled
}

/** Waits for what another process does. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

export function isMarked(dataDir: string): boolean {
  return existsSync(join(dataDir, 'MOVED'))
}

/** Charges, as chat makes them: some are more than the account has, and their rest is written off. */
export async function charge(
  service: Service,
  { accountId, keyId }: OpenedAccount,
  count: number,
  changes: Parameters<typeof makeCharge>[2] = {},
): Promise<void> {
  const charges = Array.from({ length: count }, () =>
    makeCharge(accountId, createId('req'), { keyId, ...changes }),
  )
  await Promise.all(charges.map((one) => bookCharge(service.app.ledger, one)))
}
