import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chat, hello, operate } from '../support/call.ts'
import { startChild, type Child } from '../support/child.ts'
import {
  environmentOf,
  listFiles,
  makePlace,
  makeUsedStore,
  openService,
  runBackup,
  runRestore,
  takeBackup,
  testWithTools,
  type Place,
  type UsedStore,
} from './backups.ts'

/** Whoever reads the file waits there, until it flows. */
function makePipe(t: TestContext, path: string): { flow(): void } {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
  // At both ends, so that opening it blocks nobody.
  const pipe = openSync(path, constants.O_RDWR)
  t.after(() => closeSync(pipe))
  return { flow: () => writeSync(pipe, 'flows') }
}

function start(t: TestContext, args: readonly string[], place: Place): Child {
  const child = startChild('src/cli/parley.ts', args, { cwd: '/', env: environmentOf(place) })
  t.after(() => child.kill())
  return child
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20)
}

/** The place serves as the store did that was backed up. */
async function assertServes(place: Place, { key, accountId }: UsedStore): Promise<void> {
  const service = await openService(place)
  try {
    assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
    assert.equal((await operate(service, 'GET', `/accounts/${accountId}`)).status, 200)
    if (place.databaseUrl !== undefined) return
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
  } finally {
    await service.close()
  }
}

test('a backup that is killed is none, and the next one is made beside it', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  makePipe(t, join(store.dataDir, 'spill.jsonl'))
  const child = start(t, ['backup', '--to', store.backups], store)
  await until(() => listFiles(store.backups).length > 0)
  await child.kill()
  const [left = ''] = listFiles(store.backups)
  assert.match(left, /^\.parley-.+Z\.\w{6}$/)
  const place = await makePlace(t, 'sqlite')
  const { code, stderr } = await runRestore(join(store.backups, left), place)
  assert.equal(code, 1)
  assert.match(stderr, / is no backup: there is no manifest\.json in it/)
  rmSync(join(store.dataDir, 'spill.jsonl'))
  assert.equal((await runRestore(await takeBackup(store), place)).code, 0)
  await assertServes(place, store)
})

test('a backup that is ended by SIGINT says so, and leaves nothing', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const pipe = makePipe(t, join(store.dataDir, 'spill.jsonl'))
  const child = start(t, ['backup', '--to', store.backups], store)
  await until(() => listFiles(store.backups).length > 0)
  child.process.kill('SIGINT')
  await child.complained(/^Ending the backup\. Once more ends it at once\.$/m)
  pipe.flow()
  assert.equal(await child.ended, 1)
  assert.match(child.stderr, /^Interrupted: no backup was made\. Run this again to make one\.$/m)
  assert.equal(child.stdout, '')
  assert.deepEqual(listFiles(store.backups), [])
})

test('a restore that is killed leaves what no service starts on, and says what to do', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  writeFileSync(join(store.dataDir, 'spill.jsonl'), '')
  const path = await takeBackup(store)
  makePipe(t, join(path, 'spill.jsonl'))
  const place = await makePlace(t, 'sqlite')
  const child = start(t, ['restore', path], place)
  // The store is there by then, and what belongs to it is not.
  await until(() => listFiles(place.dataDir).includes('parley.db'))
  const meanwhile = await runRestore(path, place)
  assert.match(
    meanwhile.stderr,
    /^A restore into .+ has not ended\. Wait for it; where it was broken/,
  )
  await child.kill()
  await assert.rejects(
    openService(place),
    /is not whole: it was being restored from .+ has not ended/,
  )
  const again = await runRestore(path, place)
  assert.equal(again.code, 1)
  assert.match(
    again.stderr,
    /where it was broken off, delete the directory, and run this again\.$/m,
  )
  assert.equal((await runBackup({ ...place, backups: store.backups })).code, 1)
})

test('a restore that is ended by SIGINT says so, and leaves nothing', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  writeFileSync(join(store.dataDir, 'spill.jsonl'), '')
  const path = await takeBackup(store)
  const pipe = makePipe(t, join(path, 'spill.jsonl'))
  const place = await makePlace(t, 'sqlite')
  const child = start(t, ['restore', path], place)
  await until(() => listFiles(place.dataDir).includes('parley.db'))
  child.process.kill('SIGTERM')
  await child.complained(/^Ending the restore\. Once more ends it at once\.$/m)
  pipe.flow()
  assert.equal(await child.ended, 1)
  assert.match(
    child.stderr,
    /^Interrupted: nothing was restored\. Run this again to restore it\.$/m,
  )
  assert.deepEqual(listFiles(place.dataDir), [])
})

/** Number of the lock that stops a database in the middle of being filled. */
const LOCK = 4_711

testWithTools(
  'a restore into PostgreSQL that is killed leaves it empty, and the next one fills it',
  async (t) => {
    const store = await makeUsedStore(t, 'postgres')
    const path = await takeBackup(store)
    const place = await makePlace(t, 'postgres')
    const client = new pg.Client({ connectionString: place.databaseUrl })
    await client.connect()
    t.after(() => client.end())
    await client.query(`
    create function stop() returns event_trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(${LOCK}); end $$;
    create event trigger stop on ddl_command_end when tag in ('CREATE INDEX') execute function stop();
    select pg_advisory_lock(${LOCK})`)
    const waiting =
      "from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
    const child = start(t, ['restore', path], place)
    await until(async () => (await client.query(`select ${waiting}`)).rows.length === 1)
    await child.kill()
    await assert.rejects(
      openService(place),
      /is not whole: it was being restored from .+ has not ended/,
    )
    // With the machine the tool would have died as well.
    await client.query(`select pg_terminate_backend(pid) ${waiting}`)
    const tables = "select from pg_tables where schemaname = 'public'"
    await until(async () => (await client.query(tables)).rows.length === 0)
    await client.query('drop event trigger stop; drop function stop')
    rmSync(place.dataDir, { recursive: true })
    const { code, stderr } = await runRestore(path, place)
    assert.equal(code, 0, stderr)
    await assertServes(place, store)
  },
)
