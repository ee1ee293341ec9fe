import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { createId } from '#platform/ids.ts'
import { runCommand, type Ran } from '../cli/run-command.ts'
import { openAccount, operate } from '../support/call.ts'
import { runBeside } from '../support/each-engine.ts'
import { makeCharge } from '../support/open-ledger.ts'
import { serveFor, startService } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { createGuardedDatabase, PASSWORD } from '../support/postgres/guarded-database.ts'
import { createEnds, findFilled, isMarked, query, runMigrate, until, type Ends } from './ends.ts'

/** One sentence or more, what to do among them; no stack, no password, nothing moved. */
async function assertRefused(ran: Ran, pattern: RegExp, { dataDir, databaseUrl }: Ends) {
  assert.deepEqual([ran.code, ran.stdout], [1, ''], ran.stderr)
  assert.match(ran.stderr, pattern)
  assert.doesNotMatch(ran.stderr, /^ +at /m)
  assert.ok(!ran.stderr.includes(PASSWORD))
  assert.deepEqual(await findFilled(databaseUrl), [])
  assert.equal(isMarked(dataDir), false)
}

test('a directory without a store is refused, and none is made there', async (t) => {
  const dataDir = join(makeTemporaryDirectory(t), 'typo')
  const ends = { dataDir, databaseUrl: await createGuardedDatabase() }
  await assertRefused(
    await runMigrate(ends),
    /^There is no embedded store in .+typo\. Give --from/,
    ends,
  )
  assert.equal(existsSync(dataDir), false)
})

test('a store whose service runs is refused', async (t) => {
  const service = await serveFor(t, { embedded: true })
  const ends = { dataDir: service.dataDir, databaseUrl: await createGuardedDatabase() }
  const told = /^A service is running on the data in .+\. Stop it, then run this again\.$/m
  await assertRefused(await runMigrate(ends), told, ends)
  assert.equal((await operate(service, 'GET', '/accounts')).status, 200)
})

test('a store that cannot be read, or is of a later version, is refused', async (t) => {
  const dataDir = makeTemporaryDirectory(t)
  const broken = { dataDir, databaseUrl: await createGuardedDatabase() }
  writeFileSync(
    join(dataDir, 'parley.db'),
    'this is no database, but it is long enough to be read'.repeat(99),
  )
  await assertRefused(await runMigrate(broken), /^The store in .+ cannot be used: /m, broken)

  const later = await createEnds(t)
  await runBeside({ directory: later.dataDir, databaseUrl: undefined }, [
    "insert into kysely_migration values ('9999_later', '2030-01-01')",
  ])
  await assertRefused(
    await runMigrate(later),
    /^The store in .+ cannot be used: .*9999_later/m,
    later,
  )
})

test('what cannot be booked from the spill file is told line by line, and stays there', async (t) => {
  const ends = await createEnds(t)
  const path = join(ends.dataDir, 'spill.jsonl')
  const stranger = makeCharge('acc_nobody', createId('req'))
  const lines = `no charge\n${JSON.stringify(stranger)}\n`
  appendFileSync(path, lines)
  const ran = await runMigrate(ends)
  await assertRefused(ran, /^What .+spill\.jsonl holds cannot all be booked:$/m, ends)
  assert.match(ran.stderr, /^ {2}a line of the spill file is no charge: .+ \(line 1\)$/m)
  assert.match(
    ran.stderr,
    /^ {2}a spilled charge cannot be booked: .+ \(req_\w+: .*acc_nobody.*\)$/m,
  )
  assert.match(
    ran.stderr,
    /Correct these lines or take them out of the file, then run this again\./,
  )
  assert.equal(readFileSync(path, 'utf8'), lines)
})

test('books that do not add up are not moved', async (t) => {
  const ends = await createEnds(t)
  await runBeside({ directory: ends.dataDir, databaseUrl: undefined }, [
    'update balance set balance_nano = balance_nano + 1',
  ])
  const ran = await runMigrate(ends)
  await assertRefused(
    ran,
    /^The books in .+ do not add up:\n {2}balance of acc_\w+ is \d+, /m,
    ends,
  )
})

test('a database with anything in it is refused, and what it has is told', async (t) => {
  const { dataDir, databaseUrl } = await createEnds(t)
  const service = await startService({ databaseUrl })
  await openAccount(service)
  const whileRunning = await runMigrate({ dataDir, databaseUrl })
  await service.close()
  for (const { code, stdout, stderr } of [
    whileRunning,
    await runMigrate({ dataDir, databaseUrl }),
  ]) {
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^The database at 127\.0\.0\.1:\d+\/db_\d+ is not empty: it has rows in person, account, account_member, api_key, audit, balance, transfer\. /,
    )
  }
  assert.equal(isMarked(dataDir), false)
})

test('any row of the product makes a database not empty', async (t) => {
  const ends = await createEnds(t)
  await (await startService(ends)).close()
  await query(ends.databaseUrl, "insert into brand_switch values ('nova', 0)")
  const { code, stderr } = await runMigrate(ends)
  assert.equal(code, 1)
  assert.match(stderr, /is not empty: it has rows in brand_switch\. /)
})

test('a database is refused while a replica is live on it, and taken when it has stopped', async (t) => {
  const ends = await createEnds(t)
  const service = await startService({ databaseUrl: ends.databaseUrl })
  const told =
    /^A service is running on the database at .+ \(replicas: 1\)\. Stop it, then run this again/
  try {
    // It has its lease when it has renewed it for the first time.
    await until(async () => (await query(ends.databaseUrl, 'select from gate_replica')).length > 0)
    await assertRefused(await runMigrate(ends), told, ends)
  } finally {
    await service.close()
  }
  assert.equal((await runMigrate(ends)).code, 0)
})

test("a database with somebody else's tables is refused, and left as it is", async (t) => {
  const ends = await createEnds(t)
  await query(ends.databaseUrl, 'create table account (id int)')
  const told =
    /^The database at .+ has tables that Parley did not make \(account\)\. Make a database/
  await assertRefused(await runMigrate(ends), told, ends)
  const tables = await query(ends.databaseUrl, "select from pg_tables where schemaname = 'public'")
  assert.equal(tables.length, 1)
})

test('a database whose tables are in use is refused', async (t) => {
  const ends = await createEnds(t)
  await (await startService(ends)).close()
  const other = new pg.Client({ connectionString: ends.databaseUrl })
  await other.connect()
  t.after(() => other.end())
  await other.query('begin; lock table account in row exclusive mode')
  const told = /^The tables at .+ are in use\. End what uses them/m
  await assertRefused(await runMigrate(ends), told, ends)
})

test('a database where the user may make no tables is refused with what PostgreSQL says', async (t) => {
  const ends = await createEnds(t)
  await query(
    ends.databaseUrl,
    'create role guest login; revoke create on schema public from public',
  )
  const url = new URL(ends.databaseUrl)
  url.username = 'guest'
  const ran = await runMigrate({ ...ends, databaseUrl: url.href })
  await assertRefused(
    ran,
    /^Nothing was moved: at .+, permission denied for schema public\.$/m,
    ends,
  )
})

test('a database that cannot be reached is told by its place, without the password', async (t) => {
  const ends = await createEnds(t)
  const changes: [
    Partial<Record<'pathname' | 'username' | 'port' | 'hostname', string>>,
    RegExp,
  ][] = [
    [
      { pathname: '/none' },
      /^PostgreSQL at 127\.0\.0\.1:\d+\/none cannot be used: database "none" does not/,
    ],
    [{ username: 'nobody' }, /cannot be used: role "nobody" does not exist\. See that it runs/],
    [{ port: '1' }, /^PostgreSQL at 127\.0\.0\.1:1\/db_\d+ cannot be used: connect ECONNREFUSED/],
    [
      { hostname: 'db.invalid' },
      /^PostgreSQL at db\.invalid:\d+\/db_\d+ cannot be used: getaddrinfo/,
    ],
  ]
  for (const [change, pattern] of changes) {
    const databaseUrl = Object.assign(new URL(ends.databaseUrl), change).href
    const { code, stdout, stderr } = await runMigrate({ ...ends, databaseUrl })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, pattern)
    assert.ok(!stderr.includes(PASSWORD))
  }
  assert.equal(isMarked(ends.dataDir), false)
})

test('what is no address of a PostgreSQL is a wrong call, and not repeated', async () => {
  const wrong = [undefined, '', `postgres//u:${PASSWORD}@h/d`, `mysql://u:${PASSWORD}@h/d`]
  for (const url of wrong) {
    const { code, stdout, stderr } = await runCommand(
      undefined,
      url === undefined ? ['migrate'] : ['migrate', '--to', url],
    )
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(
      stderr,
      /^error: --to must be a URL like postgres:\/\/user:password@host:5432\/database$/m,
    )
    assert.ok(!stderr.includes(PASSWORD))
  }
})

test('a text that PostgreSQL cannot keep is refused, and said where it is', async (t) => {
  const ends = await createEnds(t)
  const service = await startService({ dataDir: ends.dataDir, embedded: true })
  // No caller can give such a name, but a store of before may have one.
  await service.app.accounts.createKey(ends.accountId, { name: 'a\u0000b' }, 'test')
  await service.close()
  const ran = await runMigrate(ends)
  await assertRefused(
    ran,
    /^The name of a row of api_key \(key_\w+\) has a character U\+0000/m,
    ends,
  )
})

test('a mark that cannot be written is told, for the move is done by then', async (t) => {
  const ends = await createEnds(t)
  symlinkSync('/nowhere/at-all', join(ends.dataDir, 'MOVED'))
  const { code, stderr } = await runMigrate(ends)
  assert.equal(code, 0)
  assert.match(stderr, /^The file MOVED could not be written to /m)
})
