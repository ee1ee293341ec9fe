import assert from 'node:assert/strict'
import { closeSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { migrate, openSqliteStore } from '#platform/store/index.ts'
import { checkStore } from '../../src/doctor/checks/check-store.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { makePatient, tell } from './patient.ts'

async function lookAt(dataDir: string, timeoutMs = 20_000): Promise<string> {
  return tell(await checkStore(makePatient({ env: { PARLEY_DATA_DIR: dataDir }, timeoutMs })))
}

/** A store as a first start leaves it. */
async function makeStore(t: TestContext): Promise<string> {
  const directory = makeTemporaryDirectory(t)
  const store = await openSqliteStore(directory)
  await migrate(store, MIGRATIONS)
  await store.close()
  return directory
}

function change(directory: string, statement: string): void {
  const database = new DatabaseSync(join(directory, 'parley.db'))
  database.exec(statement)
  database.close()
}

test('a store at rest is read without a trace', async (t) => {
  const directory = await makeStore(t)
  const before = readdirSync(directory)
  const told = await lookAt(directory)
  assert.match(told, /ok: SQLite [\d.]+, [\d,]+ KiB, journal mode wal/)
  assert.match(told, /ok: \d+ migrations run, none is pending/)
  assert.match(told, /ok: The file is whole/)
  assert.equal(told.split('\n').length, 3)
  assert.deepEqual(readdirSync(directory), before)
})

test('a store in use is read as it is, its log included', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const store = await openSqliteStore(directory)
  t.after(() => store.close())
  await migrate(store, MIGRATIONS)
  assert.match(await lookAt(directory), /none is pending/)
})

test('no store yet is news', async (t) => {
  assert.match(await lookAt(makeTemporaryDirectory(t)), /^note: There is no store yet/)
})

test('migrations that wait are told, and those of a newer release are a problem', async (t) => {
  const directory = await makeStore(t)
  change(
    directory,
    'delete from kysely_migration where name = (select max(name) from kysely_migration)',
  )
  assert.match(await lookAt(directory), /note: 1 migration pending.* → Make a backup before/)
  change(directory, "insert into kysely_migration values ('9999_later', '2030-01-01')")
  assert.match(await lookAt(directory), /problem: .*newer release \(9999_later\)/)
})

test('a damaged file is a problem', async (t) => {
  const directory = await makeStore(t)
  const path = join(directory, 'parley.db')
  const file = openSync(path, 'r+')
  const half = Math.floor(statSync(path).size / 2)
  writeSync(file, Buffer.alloc(16_384, 0xab), 0, 16_384, half)
  closeSync(file)
  assert.match(
    await lookAt(directory),
    /problem: The (file is damaged|store in .* cannot be read): /,
  )
})

test('a file that is no database is a problem', async (t) => {
  const directory = makeTemporaryDirectory(t)
  writeFileSync(join(directory, 'parley.db'), 'x'.repeat(4_096))
  assert.match(await lookAt(directory), /problem: .*cannot be read: file is not a database/)
})

test('another journal mode than that of the service is a warning', async (t) => {
  const directory = await makeStore(t)
  change(directory, 'pragma journal_mode = delete')
  assert.match(await lookAt(directory), /warning: The journal mode of the store is other than wal/)
})

test('one that says nothing in time is ended', async (t) => {
  const directory = await makeStore(t)
  assert.match(
    await lookAt(directory, 1),
    /^warning: .* could not be looked at: no answer within 0\.001 s/,
  )
})
