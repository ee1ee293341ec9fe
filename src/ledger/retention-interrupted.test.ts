import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresStore } from '#platform/store/index.ts'
import { openStoreAt } from '../../test/support/each-engine.ts'
import { makeCharge } from '../../test/support/open-ledger.ts'
import { idOf, monthName, openOldMonths, type OldMonths } from '../../test/support/old-months.ts'
import type { LedgerTables } from './tables.ts'

const TABLES: readonly (keyof LedgerTables)[] = [
  'balance',
  'transfer',
  'receipt',
  'account_day',
  'closing',
]

function rowsOfAll({ rowsOf }: OldMonths): Promise<string[][]> {
  return Promise.all(TABLES.map(rowsOf))
}

/** Each makes the transaction fail at a later step. A trigger stands for the process that is killed there. */
const STEPS: readonly [when: string, install: string, remove: string][] = [
  [
    'before it has done anything',
    "create function stop() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;" +
      "create trigger stop before insert on transfer for each row when (new.reference like 'closed:%') execute function stop()",
    'drop function stop cascade',
  ],
  [
    'when the partitions are being dropped',
    "create function stop() returns event_trigger language plpgsql as $$ begin raise 'killed'; end $$;" +
      'create event trigger stop on sql_drop execute function stop()',
    'drop event trigger stop; drop function stop',
  ],
  [
    'when all is done but the last word',
    "create function stop() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;" +
      'create constraint trigger stop after insert on closing deferrable initially deferred for each row execute function stop()',
    'drop function stop cascade',
  ],
]

for (const [when, install, remove] of STEPS) {
  test(`a closing that ends ${when} has done nothing, and the next one does it all`, async (t) => {
    const old = await openOldMonths(t)
    const before = await rowsOfAll(old)
    await old.books.tamper(install)
    assert.match((await old.close(3)).join(), /^old months are not closed .*killed/)
    assert.deepEqual(await rowsOfAll(old), before)
    await old.books.tamper(remove)
    assert.equal((await old.close(3)).length, 2)
    assert.deepEqual((await old.books.ledger.verify()).discrepancies, [])
  })
}

test('books that do not add up are not closed', async (t) => {
  const old = await openOldMonths(t)
  await old.books.tamper("update account_day set charged_nano = 1 where account_id = 'a'")
  const before = await rowsOfAll(old)
  assert.match((await old.close(3)).join(), /^old months are not closed: the books do not add up/)
  assert.deepEqual(await rowsOfAll(old), before)
})

test('a month whose receipts and transfers disagree is not closed, whoever asks for it', async (t) => {
  const old = await openOldMonths(t)
  const [id] = old.ids.get(5) ?? []
  await old.books.tamper(`update transfer set amount_nano = 99 where reference = 'charge:${id}'`)
  const before = await rowsOfAll(old)
  const closing = old.books.tamper(`select close_month('${monthName(5)}-01')`)
  await assert.rejects(closing, /receipts of \S+ and the transfers of a do not agree/)
  assert.deepEqual(await rowsOfAll(old), before)
})

test('a month that is not old enough cannot be closed', async (t) => {
  const old = await openOldMonths(t)
  for (const months of [0, 1]) {
    const closing = old.books.tamper(`select close_month('${monthName(months)}-01')`)
    await assert.rejects(closing, /too young to be closed/)
  }
})

async function connect(t: TestContext, { books }: OldMonths): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: books.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Someone reads receipts for long, as a verification or a back-up does. */
async function readForLong(t: TestContext, old: OldMonths): Promise<pg.Client> {
  const reader = await connect(t, old)
  await reader.query('begin; lock table receipt, transfer in access share mode')
  return reader
}

/** Waits until the closing sleeps between two tries for its locks; answers who it is to the database. */
async function untilItWaits(t: TestContext, old: OldMonths): Promise<number> {
  const watcher = await connect(t, old)
  for (;;) {
    const { rows } = await watcher.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'
        and query like '%close_month%'`,
    )
    if (rows[0]) return rows[0].pid
    await delay(20)
  }
}

test('while someone reads for long a closing waits and charges do not; killed then, it has done nothing', async (t) => {
  const old = await openOldMonths(t)
  const reader = await readForLong(t, old)
  const before = await rowsOfAll(old)
  const closing = old.close(3)
  const pid = await untilItWaits(t, old)
  const id = idOf(Date.now())
  const startedMs = performance.now()
  await old.books.charge(makeCharge('a', id))
  // Behind the locks that the closing waits for in vain it would have waited as long as the reader reads.
  assert.ok(performance.now() - startedMs < 1_500)
  await reader.query('select pg_terminate_backend($1)', [pid])
  assert.match((await closing).join(), /^old months are not closed/)
  const after = await rowsOfAll(old)
  assert.deepEqual(
    after.map((rows) => rows.length),
    // The charge: a receipt and a transfer more.
    before.map((rows, place) => rows.length + ([1, 2].includes(place) ? 1 : 0)),
  )
  await reader.query('rollback')
  const closed = (await old.close(3)).filter((line) => line.startsWith('closed a month'))
  assert.equal(closed.length, 2)
  assert.deepEqual((await old.books.ledger.verify()).discrepancies, [])
})

test('a closing that had to wait for a reader is done when it has gone', async (t) => {
  const old = await openOldMonths(t)
  const reader = await readForLong(t, old)
  const closing = old.close(4)
  await untilItWaits(t, old)
  await reader.query('rollback')
  assert.match((await closing).join(), /^closed a month/)
  assert.deepEqual((await old.books.ledger.verify()).discrepancies, [])
})

test('closing the store breaks off a closing at once', async (t) => {
  const old = await openOldMonths(t)
  await readForLong(t, old)
  const { store } = await openStoreAt(t, old.books.databaseUrl)
  const closing = old.close(4, store as PostgresStore)
  await untilItWaits(t, old)
  const startedMs = performance.now()
  await store.close()
  assert.ok(performance.now() - startedMs < 1_000)
  assert.match((await closing).join(), /^old months are not closed/)
})
