import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { systemClock } from '#platform/clock.ts'
import { migrate, openStore } from '#platform/store/index.ts'
import { checkStore } from '../../src/doctor/checks/check-store.ts'
import { MIGRATIONS } from '../../src/tables.ts'
import { refusingUrl } from '../support/fake-upstream/index.ts'
import { startPostgres, type Postgres } from '../support/postgres/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { makePatient, tell } from './patient.ts'

let postgres: Postgres
before(async () => {
  // As a database for real: that it waits for the disk is part of what is looked at.
  postgres = await startPostgres({ durable: true, settings: ['max_connections=36'] })
})
after(() => postgres.close())

async function lookAt(databaseUrl: string, aheadMs = 0): Promise<string> {
  const clock = { nowMs: () => systemClock.nowMs() + aheadMs }
  return tell(await checkStore(makePatient({ env: { DATABASE_URL: databaseUrl }, clock })))
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function makeStore(t: TestContext): Promise<string> {
  const databaseUrl = await postgres.createDatabase()
  const store = await openStore({ dataDir: makeTemporaryDirectory(t), databaseUrl })
  await migrate(store, MIGRATIONS)
  await store.close()
  return databaseUrl
}

test('a database that can be relied on has nothing wrong', async (t) => {
  const told = await lookAt(await makeStore(t))
  assert.doesNotMatch(told, /^(?!ok)/m)
  assert.match(told, /PostgreSQL \d+[.\d]* at 127\.0\.0\.1:\d+\/db_\d+, \d+ MiB/)
  assert.match(told, /What it says is written is on the disk \(synchronous_commit on\)/)
  assert.match(told, /It is on this machine: no TLS is needed/)
  assert.match(told, /It allows 36 connections, \d+ used: room for 2 replicas of 13/)
  assert.match(told, /migrations run, none is pending/)
  assert.match(told, /The clock agrees with that of the database, within \d\.\d+ s/)
})

test('an empty database is news', async () => {
  assert.match(await lookAt(await postgres.createDatabase()), /note: It is empty: the first start/)
})

test('one that does not wait for the disk is a problem', async () => {
  const url = await postgres.createDatabase()
  await run(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
  assert.match(await lookAt(url), /problem: synchronous_commit off: a power cut can lose charges/)
})

test('few connections are a warning, and too few for one replica a problem', async (t) => {
  const url = await postgres.createDatabase()
  const hold = async (count: number): Promise<void> => {
    const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }))
    t.after(() => Promise.all(clients.map((client) => client.end())))
    await Promise.all(clients.map((client) => client.connect()))
  }
  await hold(9)
  assert.match(
    await lookAt(url),
    /warning: It allows 36 connections, \d+ used: room for 1 replica /,
  )
  await hold(12)
  assert.match(
    await lookAt(url),
    /problem: It allows 36 connections, \d+ used: room for 0 replicas/,
  )
})

test('a clock that is off is told by how much, and on which side', async () => {
  const url = await postgres.createDatabase()
  assert.match(await lookAt(url, 10_000), /warning: The clock is (9|10|11)\.\d+ s ahead of that of/)
  assert.match(await lookAt(url, -60_000), /problem: The clock is (59|60|61)\.\d+ s behind that of/)
})

test('migrations of a newer release, a wrong encoding, and missing rights are problems', async (t) => {
  const newer = await makeStore(t)
  await run(newer, "insert into kysely_migration values ('9999_later', '2030-01-01')")
  assert.match(await lookAt(newer), /problem: .*newer release \(9999_later\)/)

  await run(newer, "create database ascii encoding 'SQL_ASCII' template template0")
  const ascii = newer.replace(/\/\w+$/, '/ascii')
  assert.match(await lookAt(ascii), /problem: Its encoding is SQL_ASCII/)

  await run(newer, 'create user plain')
  await run(newer, 'grant select on kysely_migration to plain')
  const plain = newer.replace('parley@', 'plain@')
  assert.match(await lookAt(plain), /note: The user of DATABASE_URL may not make tables/)
  const empty = (await postgres.createDatabase()).replace('parley@', 'plain@')
  assert.match(await lookAt(empty), /problem: The user of DATABASE_URL may not make tables/)
})

test('a connection that leaves the machine in the clear is a warning', async () => {
  // To PostgreSQL a number is a name like any other; this one leads to 127.0.0.1.
  const url = (await postgres.createDatabase()).replace('127.0.0.1', '2130706433')
  assert.match(await lookAt(url), /warning: The connection to 2130706433 is not encrypted/)
})

test('one that cannot be reached is a problem, and its password is not told', async () => {
  const { host } = new URL(await refusingUrl())
  const told = await lookAt(`postgres://parley:very-secret@${host}/parley`)
  assert.match(
    told,
    /problem: PostgreSQL at 127\.0\.0\.1:\d+\/parley cannot be used: .*ECONNREFUSED/,
  )
  assert.doesNotMatch(told, /very-secret/)
  const { port } = new URL(`http://${host}`)
  const several = await lookAt(`postgres://parley@localhost:${port}/parley`)
  assert.match(several, /cannot be used: .*ECONNREFUSED/)
})
