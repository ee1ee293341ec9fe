import assert from 'node:assert/strict'
import fc from 'fast-check'
import { nano } from '#platform/money.ts'
import { makeCharge, openLedger, type OpenLedger } from '../../test/support/open-ledger.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'

const DAY_MS = 86_400_000

interface CreditStep {
  readonly kind: 'credit'
  readonly account: number
  readonly amount: number
  readonly reference: number
}

interface ChargeStep {
  readonly kind: 'charge'
  readonly account: number
  readonly cost: number
  readonly request: number
}

interface PassStep {
  readonly kind: 'pass'
  readonly days: number
}

type Step = CreditStep | ChargeStep | PassStep

const account = fc.nat(2)
const crediting: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('credit'),
  account,
  amount: fc.integer({ min: 1, max: 3_000_000_000 }),
  reference: fc.nat(12),
})
const charging: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('charge'),
  account,
  cost: fc.nat(2_000_000_000),
  request: fc.nat(40),
})
const passing: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('pass'),
  days: fc.integer({ min: -2, max: 2 }),
})
const steps = fc.array(fc.oneof(crediting, { weight: 4, arbitrary: charging }, passing), {
  minLength: 1,
  maxLength: 25,
})

interface Books {
  balance: bigint
  deposits: bigint
  spent: bigint
  day: string
}

/** What the ledger has to say, in integers that have no bound. */
function createBooks() {
  const books: Books[] = [0, 1, 2].map(() => ({ balance: 0n, deposits: 0n, spent: 0n, day: '' }))
  const credits = new Map<number, string>()
  const charges = new Map<number, bigint>()
  return {
    books,
    credit({ account: of, amount, reference }: CreditStep): string {
      const same = `${of} ${amount}`
      const earlier = credits.get(reference)
      if (earlier !== undefined) return earlier === same ? 'repeated' : 'conflict'
      credits.set(reference, same)
      const book = books[of] as Books
      book.balance += BigInt(amount)
      book.deposits += BigInt(amount)
      return 'booked'
    },
    charge({ account: of, cost, request }: ChargeStep, today: string): bigint {
      const id = request * 3 + of
      const earlier = charges.get(id)
      if (earlier !== undefined) return earlier
      const book = books[of] as Books
      const charged = BigInt(cost) < book.balance ? BigInt(cost) : book.balance
      charges.set(id, charged)
      if (today > book.day) Object.assign(book, { day: today, spent: 0n })
      book.balance -= charged
      book.spent += charged
      return charged
    },
  }
}

/** Runs the steps on three new accounts, and holds each answer against the model's. */
async function compareBooks(
  { open, credit, charge, clock, fundsOf }: OpenLedger,
  run: number,
  sequence: readonly Step[],
): Promise<void> {
  const model = createBooks()
  const ids = model.books.map((_, place) => `${run}-${place}`)
  for (const id of ids) await open(id)
  const underWay: Promise<void>[] = []
  const startCharge = (step: ChargeStep): void => {
    const expected = model.charge(step, new Date(clock.nowMs()).toISOString().slice(0, 10))
    const id = ids[step.account]!
    const charged = charge(makeCharge(id, `${id}-${step.request}`, { cost: nano(step.cost) }))
    underWay.push(charged.then((told) => assert.equal(BigInt(told.charged), expected)))
  }
  for (const step of sequence) {
    // Charges in a row are sent at once, as replies that end together; their order stays.
    if (step.kind === 'charge') {
      startCharge(step)
      continue
    }
    await Promise.all(underWay.splice(0))
    if (step.kind === 'pass') {
      clock.advance(step.days * DAY_MS)
      continue
    }
    const options = { reference: `${run}-${step.reference}` }
    const { kind } = await credit(ids[step.account]!, step.amount, options)
    assert.equal(kind, model.credit(step))
  }
  await Promise.all(underWay)
  for (const [place, book] of model.books.entries()) {
    const { balance, deposits, spent, spentDay } = await fundsOf(ids[place]!)
    assert.deepEqual(
      [BigInt(balance), BigInt(deposits), BigInt(spent), spentDay],
      [book.balance, book.deposits, book.spent, book.day],
    )
  }
}

test('whatever is credited and charged in whatever order, the books are those of plain sums', async (t, engine) => {
  const books = await openLedger(t, engine)
  const startMs = books.clock.nowMs()
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      books.clock.set(startMs)
      run += 1
      await compareBooks(books, run, sequence)
    }),
    { numRuns: 120 },
  )
  assert.deepEqual((await books.ledger.verify()).discrepancies, [])
})
