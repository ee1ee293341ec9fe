import assert from 'node:assert/strict'
import fc from 'fast-check'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import {
  createObjects,
  insertTopup,
  openPayments,
  send,
  type OpenPayments,
  type StripeEvent,
} from '../../test/support/open-payments.ts'
import { createPayments, type Payments } from './payments.ts'

const EUROS = 20
type Objects = ReturnType<typeof createObjects>

/** All that can be told of one payment; each is made for a top-up of its own. */
const TELLINGS: readonly ((objects: Objects) => StripeEvent)[] = [
  ({ unpaid }) => unpaid,
  ({ paid }) => paid,
  ({ arrived }) => arrived,
  ({ failed }) => failed,
  ({ expired }) => expired,
  ({ paidOtherwise }) => paidOtherwise({ amount_total: 1 }),
  ({ refunded }) => refunded(500),
  ({ refunded }) => refunded(1_200),
  ({ refunded }) => refunded(2_000),
  ({ disputed }) => disputed,
  ({ disputeWon }) => disputeWon,
  ({ disputeLost }) => disputeLost,
]

let accountsMade = 0

async function openTopup(opened: OpenPayments) {
  accountsMade += 1
  const email = `someone-${accountsMade}@example.com`
  const account = await opened.accounts.create({ email, name: undefined }, 'test')
  const topupId = await insertTopup(opened, account.id, EUROS)
  return { accountId: account.id, topupId, objects: createObjects(topupId, EUROS) }
}

/** What is left when these were told to a new top-up, in this order. */
async function tell(opened: OpenPayments, order: readonly number[]) {
  const { accountId, topupId, objects } = await openTopup(opened)
  for (const index of order) {
    const telling = TELLINGS[index]
    // Twice the same is the same event, sent again.
    if (telling) await send(opened.payments, { ...telling(objects), id: `evt_${index}_${topupId}` })
  }
  return readOutcome(opened, accountId, topupId)
}

async function readOutcome(opened: OpenPayments, accountId: string, topupId: string) {
  const funds = (await opened.ledger.funds([accountId])).get(accountId)
  const account = await opened.accounts.find(accountId)
  const topup = await opened.payments.find(topupId)
  return {
    balance: funds?.balance,
    deposits: funds?.deposits,
    suspended: account?.suspended,
    state: topup?.state,
    refunded: topup?.refunded_nano,
    dispute: topup?.dispute,
  }
}

test('of every two events, it makes no difference which came first, nor that one came twice', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const indices = TELLINGS.keys().toArray()
  for (const one of indices) {
    for (const other of indices.filter((index) => index > one)) {
      const outcome = await tell(opened, [one, other])
      assert.deepEqual(await tell(opened, [other, one]), outcome, `${one}, ${other}`)
      assert.deepEqual(await tell(opened, [other, one, other, one]), outcome, `${one}, ${other}`)
    }
  }
  assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
})

test('of a paid top-up, any events in any order end the same', async (t, engine) => {
  const opened = await openPayments(t, engine)
  const numRuns = engine === 'sqlite' ? 60 : 15
  const telling = fc.uniqueArray(fc.nat(TELLINGS.length - 1), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(telling, fc.infiniteStream(fc.nat()), async (told, chances) => {
      const events = [...new Set([1, ...told])]
      const shuffled = events
        .map((index) => ({ index, chance: Number(chances.next().value) }))
        .toSorted((one, other) => one.chance - other.chance)
        .map(({ index }) => index)
      assert.deepEqual(await tell(opened, shuffled), await tell(opened, events))
    }),
    { numRuns },
  )
  assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
})

/** The room with a step of its bookings that fails, as a crash there would. */
function createFailing(opened: OpenPayments, failAt: number): Payments {
  let calls = 0
  const failing = <Room extends object>(room: Room): Room =>
    new Proxy(room, {
      get(target, name: keyof Room & string) {
        const value = target[name]
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          calls += 1
          if (calls === failAt) throw new Error('crash')
          return (value as unknown as (...all: unknown[]) => unknown).apply(target, given)
        }
      },
    })
  const { options, accounts } = opened
  // What is told once all is durable is no step of it.
  const { changed } = accounts.within
  const flaky = { ...accounts, within: { ...failing({ ...accounts.within }), changed } }
  return createPayments({ ...options, accounts: flaky, ledger: failing(options.ledger) })
}

test('a crash between any two steps leaves nothing half done, and no number unused', async (t, engine) => {
  const opened = await openPayments(t, engine)
  let crashes = 0
  for (const telling of [1, 8, 9]) {
    for (let failAt = 1; failAt <= 8; failAt += 1) {
      const { accountId, topupId, objects } = await openTopup(opened)
      const event = { ...TELLINGS[telling]!(objects), id: `evt_${topupId}` }
      if (telling !== 1) await send(opened.payments, objects.paid)
      const before = await readOutcome(opened, accountId, topupId)
      const crashed = await send(createFailing(opened, failAt), event).then(
        () => false,
        () => true,
      )
      if (crashed) {
        crashes += 1
        assert.deepEqual(await readOutcome(opened, accountId, topupId), before)
      }
      await send(opened.payments, event)
      const order = telling === 1 ? [1] : [1, telling]
      assert.deepEqual(await readOutcome(opened, accountId, topupId), await tell(opened, order))
    }
  }
  assert.ok(crashes >= 8, `${crashes} crashes`)
  assert.deepEqual((await opened.ledger.verify()).discrepancies, [])
  const rows = await opened.store.db
    .selectFrom('document_counter' as never)
    .selectAll()
    .execute()
  for (const { series, last_number: last } of rows as { series: string; last_number: number }[]) {
    const numbers = await opened.store.db
      .selectFrom('billing_document' as never)
      .selectAll()
      .execute()
    const issued = (numbers as { number: string }[]).filter(({ number }) =>
      number.startsWith(series),
    )
    assert.equal(issued.length, last, series)
  }
})
