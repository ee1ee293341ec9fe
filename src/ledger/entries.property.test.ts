import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sql } from 'kysely'
import { nano } from '#platform/money.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { writeTransferQuery, type Entry, type EntryPlace } from './entries.ts'

const DAY_MS = 86_400_000
const ALL = { fromDay: '1970-01-01', toDay: '9999-12-31' }

const step = fc.record({
  kind: fc.constantFrom('deposit', 'grant', 'charge', 'charge', 'charge', 'refund', 'pass'),
  account: fc.nat(2),
  amount: fc.integer({ min: 1, max: 2_000_000_000 }),
  /** Before, among and after the references of requests. */
  prefix: fc.constantFrom('credit:', 'topup:', 'zebra:', 'a:', 'charger:', 'Ünï\u{1f60a}:'),
})
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

interface Page {
  readonly fromDay: string
  readonly toDay: string
}

async function readAll({ ledger }: OpenLedger, limit: number, page: Page = ALL) {
  const entries: Entry[] = []
  let after: EntryPlace | undefined
  for (;;) {
    const read = await ledger.entries({ ...page, after, limit })
    entries.push(...read)
    if (read.length < limit) return entries
    after = read.at(-1)
  }
}

async function play(
  books: OpenLedger,
  ids: readonly string[],
  steps: readonly Step[],
  run: number,
) {
  for (const [place, { kind, account, amount, prefix }] of steps.entries()) {
    const accountId = ids[account] ?? ''
    const reference = `${prefix}${run}-${place}`
    if (kind === 'pass') books.clock.advance(amount % (2 * DAY_MS))
    else if (kind === 'charge') {
      await books.charge(makeCharge(accountId, `req_${run}_${place}`, { cost: nano(amount) }))
    } else if (kind === 'refund') {
      const refund = { accountId, kind, amount: nano(amount), atMs: books.clock.nowMs() } as const
      await books.store.db
        .transaction()
        .execute((tx) => books.ledger.reverse(tx, { ...refund, reference: `refund:${reference}` }))
    } else {
      await books.credit(accountId, amount, { kind, reference })
    }
  }
}

/** What the entries make of all accounts together. */
function addUp(entries: readonly Entry[]): bigint {
  const isAccount = (book: string): boolean => !book.startsWith('book:')
  return entries.reduce((sum, { debit, credit, amount }) => {
    const added = isAccount(credit) ? amount : 0n
    return sum + added - (isAccount(debit) ? amount : 0n)
  }, 0n)
}

const keyOf = ({ reference, amount }: Entry): string => `${reference} ${amount}`

test('entries add up to the balances, page by page and day by day', async (t, engine) => {
  const books = await openLedger(t, engine)
  let run = 0
  const everyone: string[] = []
  const steps = fc.array(step, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (sequence, limit) => {
      run += 1
      const ids = [0, 1, 2].map((place) => `acc_${run}_${place}`)
      everyone.push(...ids)
      for (const id of ids) await books.open(id)
      await play(books, ids, sequence, run)
      const entries = await readAll(books, 10_000)
      const funds = await books.ledger.funds(everyone)
      const balances = [...funds.values()].reduce((sum, one) => sum + BigInt(one.balance), 0n)
      assert.equal(addUp(entries), balances)
      const times = entries.map(({ atMs }) => atMs)
      assert.deepEqual(
        times.toSorted((one, other) => one - other),
        times,
      )
      const paged = await readAll(books, limit)
      assert.deepEqual(paged.map(keyOf), entries.map(keyOf))
      assert.equal(new Set(paged.map(({ reference }) => reference)).size, paged.length)
      const days = [...new Set(times.map((atMs) => new Date(atMs).toISOString().slice(0, 10)))]
      const daily: Entry[] = []
      for (const day of days) {
        daily.push(...(await readAll(books, limit, { fromDay: day, toDay: day })))
      }
      assert.deepEqual(daily.map(keyOf), entries.map(keyOf))
    }),
    { numRuns: 15 },
  )
})

test('charges are not read to find what is none', async (t, engine) => {
  const { store, open, charge } = await openLedger(t, engine)
  await open('acc_1', 10)
  await charge(makeCharge('acc_1', 'req_1'))
  const query = writeTransferQuery(engine, {
    ...ALL,
    after: { atMs: 1, reference: 'credit:x' },
    limit: 10,
  })
  const explain = engine === 'postgres' ? sql`explain (costs off)` : sql`explain query plan`
  const { rows } = await sql`${explain} ${query}`.execute(store.reads)
  const plan = JSON.stringify(rows)
  if (engine === 'sqlite') {
    assert.match(plan, /SEARCH transfer USING INDEX entry_by_time/)
    return
  }
  const scanned = new Set([...plan.matchAll(/ on (transfer\w*)/g)].map(([, table]) => table))
  assert.deepEqual(scanned, new Set(['transfer_first', 'transfer_credit', 'transfer_last']))
})
