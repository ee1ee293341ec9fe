import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { createId } from '#platform/ids.ts'
import { NANO_PER_EURO, nano, ZERO } from '#platform/money.ts'
import type { Engine } from '#platform/store/index.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import {
  countReasons,
  createCaller,
  holdOf,
  insertKey,
  openCaller,
  reasonOf,
  small,
  together,
  type AccountWanted,
} from '../../test/support/gate-caller.ts'
import { openGateStore, startReplica } from '../../test/support/gate-rooms.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { Admission } from './gate.ts'

/** What every gate promises, whichever store it works on. */
const stores = {
  sqlite: await openGateStore({ after }, 'sqlite'),
  postgres: await openGateStore({ after }, 'postgres'),
}

/** A gate of its own on the engine's store, and a new account there. */
async function openGate(t: TestContext, engine: Engine, wanted: AccountWanted = {}) {
  const clock = createManualClock()
  const replica = startReplica(stores[engine], { clock })
  t.after(() => replica.close())
  return { clock, replica, ...(await openCaller(replica, wanted)) }
}

function leftOf(admission: Admission): [requests: number, tokens: number] {
  assert.ok('allowance' in admission)
  return [admission.allowance.requestsLeft, admission.allowance.tokensLeft]
}

test("an account's first requests, all at once, are held to its limits", async (t, engine) => {
  const { admit, held } = await openGate(t, engine, { minTier: 1 })
  const admissions = await together(50, admit)
  assert.deepEqual(countReasons(admissions), { admitted: 10, requests: 40 })
  assert.equal(await held(), 1_000)
})

test('of many requests at once, only those are admitted that the balance can pay', async (t, engine) => {
  const { admit, held } = await openGate(t, engine, { grant: 750 })
  const admissions = await together(100, admit)
  assert.deepEqual(countReasons(admissions), { admitted: 7, balance: 93 })
  assert.equal(await held(), 700)
})

test('of many requests at once, only those are admitted whose tokens fit', async (t, engine) => {
  const { admit } = await openGate(t, engine, { minTier: 2 })
  const admissions = await together(90, () => admit({ cost: ZERO, tokens: 2_999 }))
  assert.deepEqual(countReasons(admissions), { admitted: 66, tokens: 24 })
  const [, tokensLeft] = leftOf(admissions.at(-1)!)
  assert.equal(tokensLeft, 200_000 - 66 * 2_999)
})

test('only the one request that reaches the daily ceiling can pass it', async (t, engine) => {
  const { admit, settle } = await openGate(t, engine, { ceiling: nano(250) })
  const admissions = await together(20, admit)
  assert.deepEqual(countReasons(admissions), { admitted: 3, ceiling: 17 })
  const refused = admissions.at(-1)
  assert.ok(refused?.kind === 'refused' && refused.refusal.limit === 'ceiling')
  assert.deepEqual([refused.refusal.retryAfterS, refused.refusal.ceiling], [12 * 3600, 250])
  // What is held may turn out to cost less; what was spent stays spent until midnight.
  const [first, second, third] = admissions.map((one) =>
    one.kind === 'admitted' ? one.hold : null,
  )
  await settle(first!, 10, 100)
  await settle(second!, 10, 100)
  await settle(third!, 10, 49)
  assert.equal(reasonOf(await admit()), 'admitted')
  assert.equal(reasonOf(await admit()), 'ceiling')
})

test('a ceiling is of one UTC day, and a day that was closed stays so', async (t, engine) => {
  const { admit, settle, clock } = await openGate(t, engine, { ceiling: nano(250) })
  await settle(holdOf(await admit()), 10, 250)
  assert.equal(reasonOf(await admit()), 'ceiling')
  clock.advance(12 * 3_600_000)
  await settle(holdOf(await admit()), 10, 250)
  assert.equal(reasonOf(await admit()), 'ceiling')
  clock.advance(-1)
  assert.equal(reasonOf(await admit()), 'ceiling')
})

test('the first limit met is told: requests, then ceiling, balance, tokens', async (t, engine) => {
  const everything = { cost: nano(5_000_000_000), tokens: 2_000_000 }
  const { admit, update } = await openGate(t, engine, { minTier: 1, ceiling: ZERO })
  assert.equal(reasonOf(await admit(everything)), 'ceiling')
  await update({ ceiling: null })
  const refused = await admit(everything)
  assert.ok(refused.kind === 'refused')
  const { cost } = everything
  const toPay = { limit: 'balance', balance: NANO_PER_EURO, held: 0, cost } as const
  assert.deepEqual(refused.refusal, { ...toPay, balance: nano(NANO_PER_EURO), held: ZERO })
  assert.equal(reasonOf(await admit({ ...everything, cost: ZERO })), 'tokens')
  for (let count = 3; count < 10; count += 1) assert.equal(reasonOf(await admit(null)), 'counted')
  assert.equal(reasonOf(await admit(everything)), 'requests')
  assert.equal(reasonOf(await admit(null)), 'requests')
})

test('whoever meets the limit of tokens is told when to come again, or that it never fits', async (t, engine) => {
  const { admit, clock } = await openGate(t, engine, { minTier: 1 })
  holdOf(await admit({ cost: ZERO, tokens: 10_000 }))
  clock.advance(20_500)
  const soon = await admit({ cost: ZERO, tokens: 1 })
  const never = await admit({ cost: ZERO, tokens: 10_001 })
  const limit = { limit: 'tokens', retryAfterS: 40 } as const
  assert.deepEqual('refusal' in soon && soon.refusal, { ...limit, wanted: 1, neverFits: false })
  assert.deepEqual('refusal' in never && never.refusal, {
    ...limit,
    wanted: 10_001,
    neverFits: true,
  })
})

test('settling gives back what was held and counts what was used', async (t, engine) => {
  const { admit, settle, held, balance } = await openGate(t, engine, { grant: 100 })
  const { charged, allowance } = await settle(
    holdOf(await admit({ cost: nano(100), tokens: 500 })),
    30,
    40,
  )
  assert.deepEqual([charged.charged, allowance.tokensLeft], [40, 1_000_000 - 30])
  assert.deepEqual([await held(), await balance()], [0, 60])
  const refused = await admit()
  assert.ok(refused.kind === 'refused' && refused.refusal.limit === 'balance')
  assert.equal(refused.refusal.balance, 60)
  assert.deepEqual(leftOf(await admit({ cost: nano(60), tokens: 7 })), [497, 1_000_000 - 37])
})

test('a reply that used more than was held for it is counted in full', async (t, engine) => {
  const { admit, settle, held } = await openGate(t, engine, { minTier: 1 })
  const { allowance } = await settle(holdOf(await admit({ cost: nano(1), tokens: 1 })), 12_000, 90)
  assert.deepEqual([allowance.tokensLeft, await held()], [0, 0])
  assert.equal(reasonOf(await admit({ cost: ZERO, tokens: 1 })), 'tokens')
})

test('releasing gives back all that was held, money and tokens, but not the request', async (t, engine) => {
  const { admit, gate, held } = await openGate(t, engine, { grant: 100 })
  const hold = holdOf(await admit({ cost: nano(100), tokens: 500 }))
  const { requestsLeft, tokensLeft } = await gate.release(hold)
  assert.deepEqual([requestsLeft, tokensLeft, await held()], [499, 1_000_000, 0])
  assert.equal(reasonOf(await admit({ cost: nano(100), tokens: 1 })), 'admitted')
})

test('a window is 60 seconds from its first request, and then another begins', async (t, engine) => {
  const { admit, clock } = await openGate(t, engine, { minTier: 1 })
  const startMs = clock.nowMs()
  for (let count = 0; count < 10; count += 1) await admit(null)
  clock.advance(59_001)
  const refused = await admit(null)
  assert.ok(refused.kind === 'refused' && refused.refusal.limit === 'requests')
  assert.deepEqual([refused.refusal.retryAfterS, refused.allowance.resetMs], [1, startMs + 60_000])
  clock.advance(999)
  const counted = await admit(null)
  assert.ok(counted.kind === 'counted')
  const { requestsLeft, resetMs, resetS } = counted.allowance
  assert.deepEqual([requestsLeft, resetMs, resetS], [9, startMs + 120_000, 60])
})

test('a reservation is not reconciled into a window that began later', async (t, engine) => {
  const { admit, settle, clock } = await openGate(t, engine)
  const hold = holdOf(await admit({ cost: nano(1), tokens: 500 }))
  clock.advance(60_000)
  await admit(null)
  assert.equal((await settle(hold, 30)).allowance.tokensLeft, 1_000_000)
})

test('a window that begins at the same moment, on a clock set back, is another window', async (t, engine) => {
  const { admit, gate, clock } = await openGate(t, engine)
  const hold = holdOf(await admit({ cost: nano(1), tokens: 500 }))
  clock.advance(-60_000)
  await admit(null)
  clock.advance(60_000)
  await admit(null)
  assert.equal((await gate.release(hold)).tokensLeft, 1_000_000)
})

test('a clock set back never locks an account out of its window', async (t, engine) => {
  const { admit, clock } = await openGate(t, engine, { minTier: 1 })
  for (let count = 0; count < 11; count += 1) await admit(null)
  clock.advance(-3_600_000)
  const admission = await admit(null)
  assert.ok(admission.kind === 'counted')
  assert.equal(admission.allowance.resetS, 60)
})

test("a revoked key is refused by the very next request, the account's others are not", async (t, engine) => {
  const { admit, revoke, gate, key, replica } = await openGate(t, engine)
  const other = createCaller(replica, await insertKey(replica, key.accountId))
  const admissions: Promise<Admission>[] = []
  for (let count = 0; count < 20; count += 1) admissions.push(admit())
  await revoke()
  const next = await admit()
  assert.equal(next.kind, 'unknown')
  assert.equal((await gate.recognise(key.keyHash, 0)).kind, 'unknown')
  const recognised = {
    kind: 'recognised',
    accountId: key.accountId,
    keyId: other.key.keyId,
  } as const
  assert.deepEqual(await gate.recognise(other.key.keyHash, 0), recognised)
  // Those that were under way may have come before it or after.
  const before = new Set((await Promise.all(admissions)).map(({ kind }) => kind))
  assert.ok(before.isSubsetOf(new Set(['admitted', 'unknown'])))
  assert.equal((await other.admit()).kind, 'admitted')
})

test('a suspended account is refused by the very next request, and not counted', async (t, engine) => {
  const { admit, update, gate, key } = await openGate(t, engine)
  await admit()
  await update({ suspended: true })
  assert.deepEqual(
    (await together(5, admit)).map(({ kind }) => kind),
    Array(5).fill('suspended'),
  )
  assert.equal((await gate.recognise(key.keyHash, 0)).kind, 'suspended')
  await update({ suspended: false })
  assert.deepEqual(leftOf(await admit()), [498, 1_000_000 - 20])
  assert.equal((await gate.recognise(key.keyHash, 0)).kind, 'recognised')
})

test('money, tier and ceiling that were changed hold for the very next request', async (t, engine) => {
  const { admit, update, deposit } = await openGate(t, engine, { grant: 0, minTier: 1 })
  assert.equal(reasonOf(await admit()), 'balance')
  await deposit(9 * NANO_PER_EURO)
  assert.deepEqual(leftOf(await admit()), [8, 9_990])
  await deposit(NANO_PER_EURO)
  assert.deepEqual(leftOf(await admit()), [97, 200_000 - 20])
  await update({ minTier: 3 })
  assert.deepEqual(leftOf(await admit()), [496, 1_000_000 - 30])
  await update({ ceiling: nano(300) })
  assert.equal(reasonOf(await admit()), 'ceiling')
  await update({ ceiling: nano(301) })
  assert.equal(reasonOf(await admit()), 'admitted')
})

test('a key that nobody has is unknown, and the same key is known once it is made', async (t, engine) => {
  const { replica, gate, key } = await openGate(t, engine)
  const requestId = createId('req')
  const admission = await gate.admit({ keyHash: 'nobody', requestId, wanted: small })
  assert.deepEqual(admission, { kind: 'unknown' })
  const made = createCaller(replica, await insertKey(replica, key.accountId))
  assert.equal((await made.admit()).kind, 'admitted')
})

test('what is held is the sum of the live holds, account by account', async (t, engine) => {
  const { admit, gate, settle, key, replica } = await openGate(t, engine)
  const other = await openCaller(replica)
  assert.equal((await gate.held([])).size, 0)
  const [hold] = [
    holdOf(await admit()),
    await admit({ cost: nano(7), tokens: 1 }),
    await other.admit(),
  ]
  const ids = [key.accountId, other.key.accountId, 'nobody']
  assert.deepEqual(
    [...(await gate.held(ids)).values()].toSorted((a, b) => a - b),
    [100, 107],
  )
  await settle(hold, 1, 100)
  assert.deepEqual(
    [await gate.held(ids)].map((held) => ids.map((id) => held.get(id) ?? 0)),
    [[7, 100, 0]],
  )
})

test('many requests at once are each decided by themselves, in the order they came', async (t, engine) => {
  const { admit, gate, replica } = await openGate(t, engine, { minTier: 1 })
  const poor = await openCaller(replica, { grant: 250 })
  const nobody = () => gate.admit({ keyHash: 'nobody', requestId: createId('req'), wanted: small })
  // The first opens a batch of its own, where there are batches; the others meet in the next.
  const admissions = await Promise.all([
    admit(null),
    nobody(),
    poor.admit(),
    admit(),
    poor.admit(null),
    admit({ cost: nano(1), tokens: 10_000 }),
    nobody(),
    poor.admit(),
    poor.admit(),
    admit(null),
  ])
  assert.deepEqual(admissions.map(reasonOf), [
    'counted',
    'unknown',
    'admitted',
    'admitted',
    'counted',
    'tokens',
    'unknown',
    'admitted',
    'balance',
    'counted',
  ])
  assert.deepEqual(leftOf(admissions.at(-1)!), [6, 10_000 - 10])
  assert.deepEqual(leftOf(admissions.at(-2)!), [496, 1_000_000 - 20])
  assert.equal(await poor.held(), 200)
})
