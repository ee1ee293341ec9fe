import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { nano } from '#platform/money.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import type { UsageRange } from './usage.ts'

const DAY_MS = 86_400_000
const ALL: UsageRange = { fromDay: '2020-01-01', toDay: '2030-01-01', keyId: undefined }

/** Three days: two keys and two brands on the first, nothing on the second, one of each on the third. */
async function openUsage(books: OpenLedger) {
  const { open, charge, clock } = books
  await open('acc_1', 650)
  await open('acc_2', 1_000)
  const firstDay = new Date(clock.nowMs()).toISOString().slice(0, 10)
  await charge(makeCharge('acc_1', 'req_1', { cost: nano(100), keyId: 'key_1' }))
  await charge(makeCharge('acc_1', 'req_2', { cost: nano(50), keyId: 'key_2' }))
  await charge(makeCharge('acc_1', 'req_3', { cost: nano(300), keyId: 'key_2', brand: 'nova' }))
  await charge(makeCharge('acc_2', 'req_4', { cost: nano(999) }))
  clock.advance(2 * DAY_MS)
  const lastDay = new Date(clock.nowMs()).toISOString().slice(0, 10)
  await charge(makeCharge('acc_1', 'req_5', { cost: nano(250), keyId: 'key_1', promptTokens: 7 }))
  return { firstDay, lastDay }
}

test('use is added up by day and brand, and by key, the dearest first', async (t, engine) => {
  const books = await openLedger(t, engine)
  const { firstDay, lastDay } = await openUsage(books)
  const one = { requests: 1, promptTokens: 10, completionTokens: 5, writtenOff: 0n }
  const two = { ...one, requests: 2, promptTokens: 20, completionTokens: 10 }
  const { days, keys } = await books.ledger.usage('acc_1', ALL, 100)
  assert.deepEqual(days, [
    { ...two, day: firstDay, brand: 'air', charged: 150n },
    { ...one, day: firstDay, brand: 'nova', charged: 300n },
    // Of the last one the balance could pay 200.
    { ...one, day: lastDay, brand: 'air', promptTokens: 7, charged: 200n, writtenOff: 50n },
  ])
  assert.deepEqual(keys, [
    { ...two, keyId: 'key_2', charged: 350n },
    { ...two, keyId: 'key_1', promptTokens: 17, charged: 300n, writtenOff: 50n },
  ])
  const dearest = await books.ledger.usage('acc_1', ALL, 1)
  assert.deepEqual(dearest.keys, keys.slice(0, 1))
  assert.deepEqual(dearest.days, days)
})

test('a range and a key leave out what is not of them', async (t, engine) => {
  const books = await openLedger(t, engine)
  const { firstDay, lastDay } = await openUsage(books)
  const ask = (range: Partial<UsageRange>) => books.ledger.usage('acc_1', { ...ALL, ...range }, 100)
  const first = await ask({ toDay: firstDay })
  assert.deepEqual(
    first.days.map(({ day, charged }) => [day, charged]),
    [
      [firstDay, 150n],
      [firstDay, 300n],
    ],
  )
  const last = await ask({ fromDay: lastDay })
  assert.deepEqual(
    last.keys.map(({ keyId, charged }) => [keyId, charged]),
    [['key_1', 200n]],
  )
  const ofKey = await ask({ keyId: 'key_1' })
  assert.deepEqual(
    ofKey.days.map(({ day, brand, charged }) => [day, brand, charged]),
    [
      [firstDay, 'air', 100n],
      [lastDay, 'air', 200n],
    ],
  )
  assert.deepEqual(await ask({ keyId: 'key_3' }), { days: [], keys: [] })
})

test("a key's last day is looked up, not searched for", async (t, engine) => {
  const books = await openLedger(t, engine)
  const { firstDay, lastDay } = await openUsage(books)
  const keyIds = ['key_1', 'key_2', 'key_3']
  assert.deepEqual(
    await books.ledger.lastDays('acc_1', keyIds),
    new Map([
      ['key_1', lastDay],
      ['key_2', firstDay],
    ]),
  )
  assert.deepEqual(await books.ledger.lastDays('acc_2', []), new Map())
  if (engine !== 'sqlite') return
  const { rows } = await sql`explain query plan select max(day) from account_day
    where account_id = 'acc_1' and key_id = 'key_1'`.execute(books.store.reads)
  assert.match(JSON.stringify(rows), /account_day_of_key \(account_id=\? AND key_id=\?\)/)
})
