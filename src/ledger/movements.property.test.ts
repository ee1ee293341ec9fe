import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { nano } from '#platform/money.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import type { EntryPlace } from './entries.ts'
import { writeMovementQuery, type Movement } from './movements.ts'

const DAY_MS = 86_400_000

const step = fc.record({
  kind: fc.constantFrom(
    ...(['deposit', 'grant', 'charge', 'charge', 'charge', 'pass'] as const),
    ...(['refund', 'dispute', 'dispute_won', 'dispute_lost'] as const),
  ),
  account: fc.nat(1),
  amount: fc.integer({ min: 1, max: 2_000_000_000 }),
  /** Before, among and after the references of requests. */
  prefix: fc.constantFrom('credit:', 'topup:', 'zebra:', 'a:', 'charger:', 'Ünï\u{1f60a}:'),
  keyId: fc.constantFrom('key_1', 'key_2'),
})
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

async function play(books: OpenLedger, ids: readonly string[], steps: readonly Step[]) {
  for (const [place, { kind, account, amount, prefix, keyId }] of steps.entries()) {
    const accountId = ids[account] ?? ''
    const reference = `${prefix}${accountId}-${place}`
    if (kind === 'pass') books.clock.advance(amount % (2 * DAY_MS))
    else if (kind === 'charge') {
      const requestId = `req_${accountId}_${place}`
      await books.charge(makeCharge(accountId, requestId, { cost: nano(amount), keyId }))
    } else if (kind === 'deposit' || kind === 'grant') {
      await books.credit(accountId, amount, { kind, reference })
    } else {
      const reversal = { accountId, kind, amount: nano(amount), reference }
      const atMs = books.clock.nowMs()
      await books.store.db
        .transaction()
        .execute((tx) => books.ledger.reverse(tx, { ...reversal, atMs }))
    }
  }
}

async function readAll({ ledger }: OpenLedger, accountId: string, limit: number) {
  const movements: Movement[] = []
  let before: EntryPlace | undefined
  for (;;) {
    const read = await ledger.movements(accountId, { before, limit })
    movements.push(...read)
    if (read.length < limit) return movements
    before = read.at(-1)
  }
}

test('a statement adds up to the balance, however it is paged', async (t, engine) => {
  const books = await openLedger(t, engine)
  let run = 0
  const steps = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 7 }), async (sequence, limit) => {
      run += 1
      const ids = [0, 1].map((place) => `acc_${run}_${place}`)
      for (const id of ids) await books.open(id)
      await play(books, ids, sequence)
      for (const id of ids) {
        const movements = await readAll(books, id, 10_000)
        const { balance } = await books.fundsOf(id)
        const sum = movements.reduce((before, { amount }) => before + amount, 0n)
        assert.equal(sum, BigInt(balance))
        const times = movements.map(({ atMs }) => atMs)
        assert.deepEqual(
          times.toSorted((one, other) => other - one),
          times,
        )
        assert.deepEqual(await readAll(books, id, limit), movements)
        const days = movements.filter(({ kind }) => kind === 'usage')
        assert.equal(new Set(days.map(({ atMs }) => atMs)).size, days.length)
      }
    }),
    { numRuns: 15 },
  )
})

test('a statement names what each line is of, and counts the requests of a day', async (t, engine) => {
  const { clock, open, charge, ledger } = await openLedger(t, engine)
  await open('acc_1', 1_000)
  const dayMs = Math.floor(clock.nowMs() / DAY_MS) * DAY_MS
  await charge(makeCharge('acc_1', 'req_1', { cost: nano(100) }))
  await charge(makeCharge('acc_1', 'req_2', { cost: nano(200), brand: 'nova' }))
  const [usage, deposit, ...rest] = await ledger.movements('acc_1', { before: undefined, limit: 9 })
  assert.deepEqual(rest, [])
  assert.deepEqual(usage, {
    kind: 'usage',
    reference: `day:${new Date(dayMs).toISOString().slice(0, 10)}:usage`,
    amount: -300n,
    atMs: dayMs + DAY_MS - 1,
    requests: 2,
  })
  assert.deepEqual(
    [deposit?.kind, deposit?.reference, deposit?.amount, deposit?.requests],
    ['deposit', 'credit:acc_1', 1_000n, null],
  )
})

for (const side of ['debit', 'credit'] as const) {
  test(`charges are not read to find what else an account's ${side} has`, async (t, engine) => {
    const { store, open, charge } = await openLedger(t, engine)
    await open('acc_1', 10)
    await charge(makeCharge('acc_1', 'req_1'))
    const query = writeMovementQuery(engine, side, 'acc_1', {
      before: { atMs: 1, reference: 'credit:x' },
      limit: 10,
    })
    const explain = engine === 'postgres' ? sql`explain (costs off)` : sql`explain query plan`
    const { rows } = await sql`${explain} ${query}`.execute(store.reads)
    const plan = JSON.stringify(rows)
    if (engine === 'sqlite') {
      assert.match(plan, new RegExp(`SEARCH transfer USING INDEX movement_by_${side}`))
      assert.doesNotMatch(plan, /TEMP B-TREE/)
      return
    }
    const scanned = new Set([...plan.matchAll(/ on (transfer\w*)/g)].map(([, table]) => table))
    assert.deepEqual(scanned, new Set(['transfer_first', 'transfer_credit', 'transfer_last']))
  })
}
