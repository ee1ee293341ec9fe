import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createId } from '#platform/ids.ts'
import { runCommand, type Ran } from '../cli/run-command.ts'
import { chat, hello, operate } from '../support/call.ts'
import { runBeside } from '../support/each-engine.ts'
import { makeCharge } from '../support/open-ledger.ts'
import { startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { loadSqlite, readReleasedStore } from '../upgrade/released-store.ts'
import { PASSWORD } from '../support/postgres/guarded-database.ts'
import {
  environmentOf,
  listFiles,
  makePlace,
  makeUsedStore,
  openService,
  readManifestOf,
  runBackup,
  runRestore,
  takeBackup,
  testWithTools,
  type Place,
} from './backups.ts'

/** A sentence or more, what to do among them; no stack, no password. */
function assertRefused({ code, stdout, stderr }: Ran, pattern: RegExp): void {
  assert.deepEqual([code, stdout], [1, ''], stderr)
  assert.match(stderr, pattern)
  assert.doesNotMatch(stderr, /^ +at /m)
  assert.ok(!stderr.includes(PASSWORD))
}

/** Nothing is there that was not there before. */
async function assertNotRestored(t: TestContext, path: string, pattern: RegExp): Promise<void> {
  const place = await makePlace(t, 'sqlite')
  assertRefused(await runRestore(path, place), pattern)
  assert.deepEqual(listFiles(place.dataDir), [])
}

test('a backup that is damaged, cut off, or none at all is refused, and nothing is restored', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const whole = await takeBackup(store)
  const damage = (change: (path: string) => void): string => {
    const path = join(makeTemporaryDirectory(t), 'backup')
    cpSync(whole, path, { recursive: true })
    change(path)
    return path
  }
  const rewrite = (changes: object) => (path: string) =>
    writeFileSync(
      join(path, 'manifest.json'),
      JSON.stringify({ ...readManifestOf(path), ...changes }),
    )
  const cases: [(path: string) => void, RegExp][] = [
    [
      (path) => {
        const bytes = readFileSync(join(path, 'parley.db'))
        bytes[5_000] = (bytes[5_000] ?? 0) ^ 1
        writeFileSync(join(path, 'parley.db'), bytes)
      },
      /parley\.db is damaged: its contents are others than those that were written\. Nothing was restored/,
    ],
    [
      (path) => truncateSync(join(path, 'parley.db'), 8_192),
      /parley\.db is damaged: it has 8192 bytes, and had \d+\./,
    ],
    [(path) => rmSync(join(path, 'parley.db')), /ENOENT: .+parley\.db'\. Nothing was changed\.$/m],
    [(path) => rmSync(join(path, 'manifest.json')), / is no backup: there is no manifest\.json in/],
    [
      (path) => truncateSync(join(path, 'manifest.json'), 100),
      /manifest\.json is damaged: it is no JSON\. Take another/,
    ],
    [
      rewrite({ files: [{ name: '../../etc/passwd', bytes: 1, sha256: '0'.repeat(64) }] }),
      /manifest\.json is damaged, or is not of Parley: files\[0\]\.name: must be/,
    ],
    [rewrite({ engine: undefined }), /manifest\.json is damaged, or is not of Parley: engine/],
    [
      rewrite({ format: 2, version: '9.0.0' }),
      /was made by a newer version \(9\.0\.0\), in a form that this one does not know\. Restore it/,
    ],
    [
      rewrite({ version: '9.0.0', migrations: ['0001_ledger', '9999_later'] }),
      /was made by a newer version \(9\.0\.0: 9999_later\), whose tables this one does not know\./,
    ],
    [
      rewrite({ figures: [{ table: 'receipt', figure: 'rows', unit: 'count', value: '7' }] }),
      /^What was restored is not what the backup says of itself: receipt \(rows\) 7, /m,
    ],
  ]
  for (const [change, pattern] of cases) await assertNotRestored(t, damage(change), pattern)
  await assertNotRestored(t, join(whole, 'parley.db'), / is no backup: there is no manifest\.json/)
  await assertNotRestored(t, join(whole, 'nothing'), / is no backup: there is no manifest\.json/)
})

test('a directory that holds anything is refused, and left as it is', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const path = await takeBackup(store)
  const before = listFiles(store.dataDir)
  assertRefused(await runRestore(path, store), /^.+ is not empty \(.+\): a backup is restored only/)
  assert.deepEqual(listFiles(store.dataDir), before)
})

test('a restore into an empty directory leaves its own mode, and a wrong place is a wrong call', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const path = await takeBackup(store)
  const dataDir = join(makeTemporaryDirectory(t), 'volume')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o750)
  const ran = await runCommand(undefined, ['restore', path, '--to', dataDir, '--json'])
  assert.equal(ran.code, 0, ran.stderr)
  assert.equal((ran.json as { restored_to: string }).restored_to, dataDir)
  assert.equal(statSync(dataDir).mode & 0o777, 0o750)
  for (const to of [`mysql://u:${PASSWORD}@h/d`, `postgres//u:${PASSWORD}@h/d://`]) {
    const { code, stderr } = await runCommand(undefined, ['restore', path, '--to', to])
    assert.equal(code, 2)
    assert.ok(!stderr.includes(PASSWORD))
  }
})

test('what was spilled is in the backup, and booked by the service that starts on it', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const { accountId, keyId, key, dataDir } = store
  const spilled = makeCharge(accountId, createId('req'), { keyId })
  // A line that was being written: its reply has not ended, so it is not owed.
  appendFileSync(join(dataDir, 'spill.jsonl'), `${JSON.stringify(spilled)}\n{"requestId":`)
  const restored = await makePlace(t, 'sqlite')
  const ran = await runRestore(await takeBackup(store), restored)
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stderr, /^The start books what was in the spill file\.$/m)
  const service = await openService(restored)
  t.after(() => service.close())
  const receipts = (await operate(service, 'GET', `/accounts/${accountId}/receipts`)).text
  assert.ok(receipts.includes(spilled.requestId))
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  assert.deepEqual(listFiles(restored.dataDir).includes('spill.jsonl'), false)
})

test('the secret goes with it, unless it is set, or kept elsewhere', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const cases: [readonly string[], Readonly<Record<string, string>>, string, RegExp][] = [
    [[], {}, 'included', /^The secret is in it: .+ Encrypt it\.$/m],
    [['--no-secret'], {}, 'apart', /^The file secret is not in it, .+ keep it apart\.$/m],
    [[], { PARLEY_SECRET: 'x'.repeat(32) }, 'apart', /^PARLEY_SECRET is not in it, /m],
  ]
  for (const [args, env, expected, told] of cases) {
    const backups = makeTemporaryDirectory(t)
    const { stdout, stderr } = await runBackup({ ...store, backups }, args, env)
    const path = stdout.trim()
    assert.equal(readManifestOf(path)['secret'], expected)
    assert.equal(listFiles(path).includes('secret'), expected === 'included')
    assert.match(stderr, told)
  }
})

test('books that do not add up are backed up and restored all the same, and told both times', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  await runBeside({ directory: store.dataDir, databaseUrl: undefined }, [
    'update balance set balance_nano = balance_nano + 1',
  ])
  const { code, stdout, stderr } = await runBackup(store)
  assert.equal(code, 1)
  assert.match(stderr, /^The books of the backup do not add up:\n {2}balance of acc_\w+ is \d+, /m)
  const ran = await runRestore(stdout.trim(), await makePlace(t, 'sqlite'))
  assert.equal(ran.code, 1)
  assert.match(
    ran.stderr,
    /^What was backed up is restored, but its books do not add up:\n {2}bal/m,
  )
})

test('a place without a store, one that was moved, and a newer one are not backed up', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const refuse = async (place: Place, pattern: RegExp): Promise<void> => {
    assertRefused(await runBackup({ ...place, backups: store.backups }), pattern)
    assert.deepEqual(listFiles(store.backups), [])
  }
  await refuse(
    await makePlace(t, 'sqlite'),
    /^There is no embedded store in .+\. Set PARLEY_DATA_DIR/m,
  )
  const beside = { directory: store.dataDir, databaseUrl: undefined }
  await runBeside(beside, ["insert into kysely_migration values ('9999_later', '2030-01-01')"])
  await refuse(store, /^The store at .+ is of a newer version \(9999_later\), which this one/m)
  writeFileSync(join(store.dataDir, 'MOVED'), 'moved to PostgreSQL at h:5432/d on 2026-11-22\n')
  await refuse(store, /^The store in .+ was moved to PostgreSQL at h:5432\/d .+ Set DATABASE_URL/m)
  const strange = makeTemporaryDirectory(t)
  writeFileSync(
    join(strange, 'parley.db'),
    'this is no database, and longer than a page'.repeat(99),
  )
  await refuse({ dataDir: strange, databaseUrl: undefined }, /parley\.db cannot be read: /m)
})

test('a store of an older version is backed up and restored, and says that its books were not added up', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  loadSqlite(dataDir)
  const store = { dataDir, databaseUrl: undefined, backups: join(dataDir, 'backups') }
  const { code, stdout, stderr } = await runBackup(store)
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^Its books were not added up: the store is of an older version/m)
  const restored = await makePlace(t, 'sqlite')
  const ran = await runRestore(stdout.trim(), restored)
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stderr, /^It is of an older version: the start brings it up to date\./m)
  const service = await openService(restored)
  t.after(() => service.close())
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
  assert.equal((await chat(service, readReleasedStore().keys.paying, 'air', hello)).status, 200)
})

test('old backups are deleted when a new one is whole: those of this store, and what was broken off', async (t) => {
  const store = await makeUsedStore(t, 'sqlite')
  const whole = await takeBackup(store)
  const copy = (name: string, source?: string): void => {
    cpSync(whole, join(store.backups, name), { recursive: true })
    if (source === undefined) return
    const manifest = { ...readManifestOf(whole), source }
    writeFileSync(join(store.backups, name, 'manifest.json'), JSON.stringify(manifest))
  }
  for (const day of ['01', '02', '03']) copy(`parley-2020-01-${day}T00-00-00Z`)
  copy('parley-2019-01-01T00-00-00Z', '/another/store')
  copy('mine')
  for (const name of [
    '.parley-2020-01-01T00-00-00Z.1a2B3c',
    '.parley-2020-01-02T00-00-00Z.1a2B3c',
  ]) {
    mkdirSync(join(store.backups, name))
  }
  utimesSync(join(store.backups, '.parley-2020-01-01T00-00-00Z.1a2B3c'), 1, 1)
  rmSync(whole, { recursive: true })
  const { code, stdout, stderr } = await runBackup(store, ['--keep', '2'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^Deleted .+parley-2020-01-01T00-00-00Z\.\nDeleted .+parley-2020-01-02T/m)
  assert.deepEqual(
    listFiles(store.backups).map((name) => join(store.backups, name)),
    [
      '.parley-2020-01-02T00-00-00Z.1a2B3c',
      'mine',
      'parley-2019-01-01T00-00-00Z',
      'parley-2020-01-03T00-00-00Z',
    ]
      .map((name) => join(store.backups, name))
      .concat(stdout.trim()),
  )
  for (const keep of ['0', 'x', '1.5']) {
    assert.equal((await runBackup(store, ['--keep', keep])).code, 2)
  }
})

testWithTools('a database that holds anything is refused, and left as it is', async (t) => {
  const store = await makeUsedStore(t, 'postgres')
  const path = await takeBackup(store)
  const ran = await runRestore(path, { ...store, dataDir: join(store.dataDir, 'other') })
  assertRefused(ran, /^The database at 127\.0\.0\.1:\d+\/db_\d+ is not empty \(.+\): a backup is/)
  const service = await openService(store)
  t.after(() => service.close())
  assert.equal((await chat(service, store.key, 'air', hello)).status, 200)
})

testWithTools(
  'a damaged dump, another secret, and the other kind of store are refused',
  async (t) => {
    const store = await makeUsedStore(t, 'postgres')
    const path = await takeBackup(store)
    const empty = await makePlace(t, 'postgres')
    const sqlite = await makePlace(t, 'sqlite')
    assertRefused(
      await runRestore(path, sqlite),
      /^This is the backup of a PostgreSQL\. Make an empty/,
    )
    const embedded = await takeBackup(await makeUsedStore(t, 'sqlite'))
    assertRefused(
      await runRestore(embedded, empty),
      /^This is the backup of an embedded store\. Restore/,
    )
    mkdirSync(empty.dataDir)
    writeFileSync(join(empty.dataDir, 'secret'), 'another one')
    assertRefused(
      await runRestore(path, empty),
      /secret is another than that of the backup, and nei/,
    )
    rmSync(join(empty.dataDir, 'secret'))
    truncateSync(join(path, 'parley.dump'), 1_000)
    assertRefused(
      await runRestore(path, empty),
      /parley\.dump is damaged: it has 1000 bytes, and had/,
    )
    assert.deepEqual(listFiles(empty.dataDir), [])
  },
)

test('tools that are missing, or too old, are told with what to install', async (t) => {
  const store = await makeUsedStore(t, 'postgres')
  const bin = makeTemporaryDirectory(t)
  const run = (): Promise<Ran> => runBackup(store, [], { PATH: bin })
  assertRefused(
    await run(),
    /^There is no pg_dump here\. Install PostgreSQL's client of the server/m,
  )
  for (const name of ['pg_dump', 'pg_restore']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho '${name} (PostgreSQL) 9.6.24'\n`, {
      mode: 0o755,
    })
  }
  assertRefused(
    await run(),
    /^pg_dump is of PostgreSQL 9, and the server of \d+: .+client-\d+\)\.$/m,
  )
  assert.deepEqual(listFiles(store.backups), [])
})

test('no service starts where a restore has not ended, on either store', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  writeFileSync(join(dataDir, 'RESTORING'), 'being restored from /somewhere\n')
  const told =
    /The data in .+ is not whole: it was being restored from \/somewhere, and that has not/
  await assert.rejects(startService({ dataDir, embedded: true }), told)
  const databaseUrl = 'postgres://parley@127.0.0.1:1/none'
  await assert.rejects(startService({ dataDir, databaseUrl }), told)
  const env = environmentOf({ dataDir, databaseUrl: undefined })
  writeFileSync(join(dataDir, 'parley.db'), '')
  assertRefused(await runCommand(undefined, ['backup'], { env }), told)
})
