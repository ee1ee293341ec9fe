import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { utcDay } from '#platform/clock.ts'
import { nano } from '#platform/money.ts'
import {
  makeCharge,
  openLedger,
  openSecondLedger,
  type OpenLedger,
} from '../../test/support/open-ledger.ts'
import { createRandom, type Random } from '../../test/support/random.ts'
import type { Charge, Charged } from './charge.ts'
import { createCommitOnPostgres } from './commit-on-postgres.ts'

const BATCHES = 200
const ACCOUNTS = 12
const RICH = 1_000_000_000
const POOR = 5_000

type Replicas = readonly [OpenLedger<'postgres'>, OpenLedger<'postgres'>]

/** Two replicas' ledgers, each with connections of its own, on one database. */
async function openReplicas(t: TestContext): Promise<Replicas> {
  const first = await openLedger(t, 'postgres')
  return [first, await openSecondLedger(t, first)]
}

/** A list in some other order. */
function shuffle<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => ({ value, at: random.between(0, 1e9) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ value }) => value)
}

/** Batches whose accounts overlap, each in an order of its own; now and then of a request twice. */
function makeBatches(ids: readonly string[], random: Random): Charge[][] {
  const made: Charge[] = []
  return Array.from({ length: BATCHES }, () => {
    const fresh = Array.from({ length: random.between(1, 20) }, () => {
      const cost = nano(random.between(0, 900))
      const charge = makeCharge(random.pick(ids), `req_${made.length}`, { cost })
      made.push(charge)
      return charge
    })
    const again = Array.from({ length: random.between(0, 3) }, () => random.pick(made))
    return shuffle([...fresh, ...again], random)
  })
}

test('batches of two replicas with the same accounts, in any order, are all booked, and once', async (t) => {
  const random = createRandom()
  t.diagnostic(`PARLEY_TEST_SEED=${random.seed}`)
  const replicas = await openReplicas(t)
  const [{ open, ledger, clock, fundsOf }] = replicas
  const ids = Array.from({ length: ACCOUNTS }, (_, place) => `acc_${place}`)
  for (const [place, id] of ids.entries()) await open(id, place < 2 ? POOR : RICH)
  const batches = makeBatches(ids, random)
  const atMs = clock.nowMs()
  const commits = replicas.map(({ store }) => createCommitOnPostgres(store))
  const outcomes = await Promise.all(
    batches.map((charges, place) => commits[place % 2]!({ charges, atMs, day: utcDay(atMs) })),
  )
  const told = new Map<string, string>()
  const spent = new Map<string, number>()
  for (const [place, charges] of batches.entries()) {
    for (const [index, { requestId, accountId, cost }] of charges.entries()) {
      const { charged, writtenOff } = outcomes[place]![index] as Charged
      assert.equal(charged + writtenOff, cost)
      const answer = `${charged} ${writtenOff}`
      assert.equal(told.get(requestId) ?? answer, answer, `${requestId} was told two amounts`)
      if (!told.has(requestId)) spent.set(accountId, (spent.get(accountId) ?? 0) + charged)
      told.set(requestId, answer)
    }
  }
  for (const [place, id] of ids.entries()) {
    const { balance } = await fundsOf(id)
    assert.equal(balance, (place < 2 ? POOR : RICH) - (spent.get(id) ?? 0))
    if (place < 2) assert.equal(balance, 0)
  }
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('the same requests charged by two replicas at once are charged once', async (t) => {
  const replicas = await openReplicas(t)
  const [{ open, ledger, fundsOf }] = replicas
  await open('a', 1_000_000)
  const ids = Array.from({ length: 100 }, (_, place) => `req_${place}`)
  const both = await Promise.all(
    replicas.map(({ charge }, replica) =>
      Promise.all(
        (replica === 0 ? ids : ids.toReversed()).map(async (id) => {
          // Whose cost it is that counts is not known: it must be one of the two, told to both.
          const cost = nano(100 + replica)
          const { charged } = await charge(makeCharge('a', id, { cost }))
          return `${id} ${charged}`
        }),
      ),
    ),
  )
  const [first, second] = both.map((told) => told.toSorted())
  assert.deepEqual(first, second)
  const charged = (first ?? []).map((entry) => Number(entry.split(' ')[1]))
  assert.equal((await fundsOf('a')).balance, 1_000_000 - charged.reduce((sum, one) => sum + one))
  assert.equal((await ledger.receipts('a', { before: undefined, limit: 1_000 })).length, 100)
  assert.deepEqual((await ledger.verify()).discrepancies, [])
})

test('a credit that two replicas book at once is booked once', async (t) => {
  const [first, second] = await openReplicas(t)
  await first.open('a')
  await first.open('b')
  const kinds: string[] = []
  for (let round = 0; round < 20; round += 1) {
    const same = { reference: `same:${round}` }
    const both = await Promise.all([first.credit('a', 7, same), second.credit('a', 7, same)])
    assert.deepEqual(both.map(({ kind }) => kind).toSorted(), ['booked', 'repeated'])
    const taken = { reference: `taken:${round}` }
    const other = await Promise.all([first.credit('a', 7, taken), second.credit('b', 7, taken)])
    kinds.push(...other.map(({ kind }) => kind))
  }
  assert.deepEqual(kinds.toSorted(), [...Array(20).fill('booked'), ...Array(20).fill('conflict')])
  const [a, b] = [await first.fundsOf('a'), await first.fundsOf('b')]
  assert.equal(a.balance + b.balance, 40 * 7)
  assert.deepEqual((await first.ledger.verify()).discrepancies, [])
})

test('charges and credits of two replicas on the same accounts never wait for each other for ever', async (t) => {
  const random = createRandom()
  t.diagnostic(`PARLEY_TEST_SEED=${random.seed}`)
  const replicas = await openReplicas(t)
  const ids = ['a', 'b', 'c', 'd']
  for (const id of ids) await replicas[0].open(id, RICH)
  const cost = nano(10)
  const work = Array.from({ length: 400 }, async (_, place) => {
    const { charge, credit } = random.pick(replicas)
    const id = random.pick(ids)
    if (random.between(0, 3) > 0) await charge(makeCharge(id, `req_${place}`, { cost }))
    else await credit(id, 10, { reference: `credit:${place}` })
  })
  await Promise.all(work)
  const verification = await replicas[0].ledger.verify()
  assert.deepEqual(verification.discrepancies, [])
  assert.equal(verification.transfers, ids.length + 400)
})
