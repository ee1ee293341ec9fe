import assert from 'node:assert/strict'
import { nano } from '#platform/money.ts'
import { makeCharge, openLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'

const MINUTE_MS = 60_000
const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 21, 23, 59, 30)

test('a charge takes exactly its cost and leaves a receipt that says so', async (t, engine) => {
  const { ledger, open, clock, fundsOf, charge } = await openLedger(t, engine)
  await open('a', 1_000_000_007)
  const wanted = makeCharge('a', 'req_1', { cost: nano(999_999_999) })
  const { charged, writtenOff, funds } = await charge(wanted)
  assert.deepEqual([charged, writtenOff], [999_999_999, 0])
  assert.deepEqual(funds, {
    balance: 8,
    deposits: 1_000_000_007,
    spentDay: '2026-11-21',
    spent: 999_999_999,
    version: 3,
  })
  assert.deepEqual(await fundsOf('a'), funds)
  const [receipt] = await ledger.receipts('a', { before: undefined, limit: 10 })
  assert.deepEqual(
    { ...receipt },
    {
      request_id: 'req_1',
      account_id: 'a',
      key_id: 'key_1',
      brand: 'air',
      model: 'svc-air-v1',
      prompt_tokens: 10,
      completion_tokens: 5,
      usage_source: 'upstream',
      charged_nano: 999_999_999,
      written_off_nano: 0,
      finish_reason: 'stop',
      ended: 'completed',
      day: '2026-11-21',
      created_at: 1_000,
      charged_at: clock.nowMs(),
      duration_ms: 20,
      first_token_ms: 10,
    },
  )
})

test('a charge is cut at zero, and the rest is written off', async (t, engine) => {
  const { ledger, open, fundsOf, charge } = await openLedger(t, engine)
  await open('a', 250)
  const both = await Promise.all([
    charge(makeCharge('a', 'req_1', { cost: nano(200) })),
    charge(makeCharge('a', 'req_2', { cost: nano(200) })),
  ])
  assert.deepEqual(
    both.map(({ charged, writtenOff }) => [charged, writtenOff]),
    [
      [200, 0],
      [50, 150],
    ],
  )
  const third = await charge(makeCharge('a', 'req_3', { cost: nano(1) }))
  assert.deepEqual([third.charged, third.writtenOff, third.funds.balance], [0, 1, 0])
  assert.equal((await fundsOf('a')).spent, 250)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('a request id is charged once, in one batch and in two', async (t, engine) => {
  const { ledger, open, fundsOf, charge } = await openLedger(t, engine)
  await open('a', 1_000)
  const wanted = makeCharge('a', 'req_1', { cost: nano(300) })
  // The first opens a batch of its own; the second and third meet in the next.
  const [first, second, third] = await Promise.all([charge(wanted), charge(wanted), charge(wanted)])
  const later = await charge({ ...wanted, cost: nano(999) })
  for (const repeated of [second, third, later]) assert.deepEqual(repeated, first)
  const inOneBatch = ['warm-up', 'req_2', 'req_2'].map((id) => charge(makeCharge('a', id)))
  await Promise.all(inOneBatch)
  assert.equal((await fundsOf('a')).balance, 1_000 - 300 - 100 - 100)
  assert.equal((await ledger.receipts('a', { before: undefined, limit: 10 })).length, 3)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('a repeated charge is told the funds of now, not of then', async (t, engine) => {
  const { open, credit, charge } = await openLedger(t, engine)
  await open('a', 1_000)
  await charge(makeCharge('a', 'req_1'))
  await credit('a', 5_000, { reference: 'later' })
  const { charged, funds } = await charge(makeCharge('a', 'req_1'))
  assert.deepEqual([charged, funds.balance], [100, 5_900])
})

test('a request that cost nothing leaves a receipt and moves no money', async (t, engine) => {
  const { ledger, open, charge } = await openLedger(t, engine)
  await open('a')
  const wanted = makeCharge('a', 'req_1', {
    cost: nano(0),
    finishReason: null,
    ended: 'client_left',
    firstTokenMs: null,
  })
  assert.equal((await charge(wanted)).charged, 0)
  const [receipt] = await ledger.receipts('a', { before: undefined, limit: 1 })
  assert.deepEqual([receipt?.finish_reason, receipt?.first_token_ms], [null, null])
  const { ok, transfers } = await ledger.verify()
  assert.deepEqual([ok, transfers], [true, 0])
})

test('an account that is not there is charged nothing, and no other charge suffers', async (t, engine) => {
  const { ledger, open, fundsOf, charge } = await openLedger(t, engine)
  await open('a', 1_000)
  const settled = await Promise.allSettled([
    charge(makeCharge('a', 'req_1')),
    charge(makeCharge('a', 'req_2')),
    charge(makeCharge('nobody', 'req_3')),
    charge(makeCharge('a', 'req_4')),
  ])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.equal((await fundsOf('a')).balance, 700)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('what is spent on a day begins again at midnight UTC', async (t, engine) => {
  const { ledger, open, clock, fundsOf, charge } = await openLedger(t, engine)
  clock.set(BEFORE_MIDNIGHT)
  await open('a', 1_000)
  await charge(makeCharge('a', 'req_1'))
  await charge(makeCharge('a', 'req_2'))
  assert.equal((await fundsOf('a')).spent, 200)
  clock.advance(MINUTE_MS)
  const { funds } = await charge(makeCharge('a', 'req_3'))
  assert.deepEqual([funds.spentDay, funds.spent], ['2026-11-22', 100])
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('a clock set back over midnight does not open the closed day again', async (t, engine) => {
  const { ledger, open, clock, charge } = await openLedger(t, engine)
  clock.set(BEFORE_MIDNIGHT + MINUTE_MS)
  await open('a', 1_000)
  await charge(makeCharge('a', 'req_1'))
  clock.set(BEFORE_MIDNIGHT)
  const { funds } = await charge(makeCharge('a', 'req_2'))
  assert.deepEqual([funds.spentDay, funds.spent], ['2026-11-22', 200])
  const receipts = await ledger.receipts('a', { before: undefined, limit: 10 })
  assert.deepEqual(
    receipts.map(({ day }) => day),
    ['2026-11-22', '2026-11-22'],
  )
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('receipts come newest first, in pages without gaps or repeats', async (t, engine) => {
  const { ledger, open, charge } = await openLedger(t, engine)
  await open('a', 10_000)
  await open('b', 10_000)
  const ids = Array.from({ length: 23 }, (_, index) => `req_${String(index).padStart(3, '0')}`)
  await Promise.all(ids.map((id) => charge(makeCharge('a', id))))
  await charge(makeCharge('b', 'req_999'))
  const seen: string[] = []
  let before: string | undefined
  do {
    const page = await ledger.receipts('a', { before, limit: 5 })
    seen.push(...page.map((receipt) => receipt.request_id))
    before = page.length === 5 ? page.at(-1)?.request_id : undefined
  } while (before !== undefined)
  assert.deepEqual(seen, ids.toReversed())
})

test('the ledger is idle when every charge is committed', async (t, engine) => {
  const { ledger, open, fundsOf, charge } = await openLedger(t, engine)
  await open('a', 100_000)
  for (let count = 0; count < 50; count += 1) void charge(makeCharge('a', `req_${count}`))
  await ledger.idle()
  assert.equal((await fundsOf('a')).balance, 95_000)
})
