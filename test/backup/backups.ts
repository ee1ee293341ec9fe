import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Engine } from '#platform/store/index.ts'
import { runCommand, type Ran } from '../cli/run-command.ts'
import { chat, hello, openAccount, type OpenedAccount } from '../support/call.ts'
import { createGuardedDatabase } from '../support/postgres/guarded-database.ts'
import { startService, type Service } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

/** A store where a service has been, or is to be. */
export interface Place {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
}

/** Where PostgreSQL's tools are not, what needs them is passed over; in CI it is missed. */
const hasTools = ['pg_dump', 'pg_restore'].every(
  (name) => spawnSync(name, ['--version']).status === 0,
)
const isMissed = process.env['CI'] === 'true' && process.env['PARLEY_POSTGRES_TOOLS'] !== 'none'

/** What is promised of every store is tried on each. */
export function testOnEachStore(
  name: string,
  run: (t: TestContext, engine: Engine) => Promise<void>,
): void {
  test(`${name} (sqlite)`, (t) => run(t, 'sqlite'))
  testWithTools(`${name} (postgres)`, (t) => run(t, 'postgres'))
}

export function testWithTools(name: string, run: (t: TestContext) => Promise<void>): void {
  test(name, async (t) => {
    if (!hasTools && !isMissed) return t.skip('no pg_dump: install a client of PostgreSQL')
    await run(t)
  })
}

/** A place where nothing is yet. */
export async function makePlace(t: TestContext, engine: Engine): Promise<Place> {
  const dataDir = join(makeTemporaryDirectory(t), 'data')
  return { dataDir, databaseUrl: engine === 'postgres' ? await createGuardedDatabase() : undefined }
}

export interface UsedStore extends OpenedAccount, Place {
  /** Where its backups go. */
  readonly backups: string
}

/** A store with an account, a key, and one paid request, whose service has stopped. */
export async function makeUsedStore(t: TestContext, engine: Engine): Promise<UsedStore> {
  const directory = makeTemporaryDirectory(t)
  const databaseUrl = engine === 'postgres' ? await createGuardedDatabase() : undefined
  const service = await openService({ dataDir: directory, databaseUrl })
  const account = await openAccount(service, { depositEur: '5.00' })
  await chat(service, account.key, 'air', hello)
  await service.close()
  writeFileSync(join(directory, 'secret'), 'the secret of its first start\n')
  return { dataDir: directory, databaseUrl, backups: join(directory, 'backups'), ...account }
}

export function openService({ dataDir, databaseUrl }: Place): Promise<Service> {
  return databaseUrl === undefined
    ? startService({ dataDir, embedded: true })
    : startService({ dataDir, databaseUrl })
}

export function environmentOf({ dataDir, databaseUrl }: Place) {
  return {
    PATH: process.env['PATH'] ?? '',
    PARLEY_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
}

export function runBackup(
  store: Place & { readonly backups: string },
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  return runCommand(undefined, ['backup', '--to', store.backups, ...args], {
    env: { ...environmentOf(store), ...env },
  })
}

/** Takes a backup, and says where it is. */
export async function takeBackup(store: Place & { readonly backups: string }): Promise<string> {
  const { code, stdout, stderr } = await runBackup(store)
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}

export function runRestore(path: string, place: Place): Promise<Ran> {
  return runCommand(undefined, ['restore', path], { env: environmentOf(place) })
}

/** What is in a directory; nothing where it is not there. */
export function listFiles(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory).toSorted() : []
}

export function readManifestOf(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) as Record<string, unknown>
}
