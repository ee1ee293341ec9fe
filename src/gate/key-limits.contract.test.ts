import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { createId } from '#platform/ids.ts'
import { nano, ZERO } from '#platform/money.ts'
import type { Engine } from '#platform/store/index.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import {
  countReasons,
  createCaller,
  holdOf,
  insertKey,
  openCaller,
  reasonOf,
  together,
  type AccountWanted,
  type KeyWanted,
} from '../../test/support/gate-caller.ts'
import { openGateStore, startReplica } from '../../test/support/gate-rooms.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'

/** What every gate promises of keys with limits of their own, whichever store it works on. */
const stores = {
  sqlite: await openGateStore({ after }, 'sqlite'),
  postgres: await openGateStore({ after }, 'postgres'),
}

const HOUR_MS = 3_600_000

/** A gate of its own on the engine's store, and a new account with two keys there. */
async function openGate(
  t: TestContext,
  engine: Engine,
  keyWanted: KeyWanted = {},
  wanted: AccountWanted = {},
) {
  const clock = createManualClock()
  const replica = startReplica(stores[engine], { clock })
  t.after(() => replica.close())
  const caller = await openCaller(replica, wanted, keyWanted)
  const other = createCaller(replica, await insertKey(replica, caller.key.accountId))
  return { clock, replica, other, ...caller }
}

test('of many requests at once, only those are admitted that the key’s ceiling can pay', async (t, engine) => {
  const { admit, other, held } = await openGate(t, engine, { ceiling: nano(250) })
  const admissions = await together(20, admit)
  assert.deepEqual(countReasons(admissions), { admitted: 2, key_ceiling: 18 })
  assert.equal(await held(), 200)
  assert.deepEqual(countReasons(await together(5, other.admit)), { admitted: 5 })
  const exact = { cost: nano(50), tokens: 1 }
  assert.equal(reasonOf(await admit({ ...exact, cost: nano(51) })), 'key_ceiling')
  assert.equal(reasonOf(await admit(exact)), 'admitted')
  assert.equal(reasonOf(await admit({ cost: ZERO, tokens: 1 })), 'admitted')
})

test('whoever meets a key’s ceiling is told how far the key has come, and when it is over', async (t, engine) => {
  const { admit, settle, other } = await openGate(t, engine, { ceiling: nano(250) })
  await settle(holdOf(await admit()), 10, 30)
  await settle(holdOf(await other.admit()), 10, 40)
  await admit()
  await other.admit()
  const refused = await admit({ cost: nano(121), tokens: 1 })
  assert.ok(refused.kind === 'refused')
  assert.deepEqual(refused.refusal, {
    limit: 'key_ceiling',
    retryAfterS: 12 * 3600,
    ceiling: 250,
    spent: 30,
    held: 100,
    cost: 121,
  })
})

test('requests of several keys at once each count for their own', async (t, engine) => {
  const limited = { ceiling: nano(200) }
  const { admit, other, replica, key } = await openGate(t, engine, limited)
  const third = createCaller(replica, await insertKey(replica, key.accountId, limited))
  // The first opens a batch of its own, where there are batches; the others meet in the next.
  const admissions = await Promise.all([
    other.admit(null),
    admit(),
    third.admit(),
    other.admit(),
    admit(),
    admit(null),
    third.admit(),
    other.admit(),
    admit(),
    third.admit(),
  ])
  assert.deepEqual(admissions.map(reasonOf), [
    'counted',
    'admitted',
    'admitted',
    'admitted',
    'admitted',
    'counted',
    'admitted',
    'admitted',
    'key_ceiling',
    'key_ceiling',
  ])
})

test('what a reply did not use is given back to its key, what it used is spent until midnight', async (t, engine) => {
  const { admit, settle, gate, clock } = await openGate(t, engine, { ceiling: nano(250) })
  await settle(holdOf(await admit()), 10, 60)
  await gate.release(holdOf(await admit()))
  assert.equal(reasonOf(await admit({ cost: nano(191), tokens: 1 })), 'key_ceiling')
  await settle(holdOf(await admit({ cost: nano(190), tokens: 1 })), 10, 190)
  assert.equal(reasonOf(await admit({ cost: nano(1), tokens: 1 })), 'key_ceiling')
  clock.advance(12 * HOUR_MS - 1)
  assert.equal(reasonOf(await admit({ cost: nano(1), tokens: 1 })), 'key_ceiling')
  clock.advance(1)
  const hold = holdOf(await admit({ cost: nano(250), tokens: 1 }))
  assert.equal(reasonOf(await admit({ cost: nano(1), tokens: 1 })), 'key_ceiling')
  await settle(hold, 10, 250)
  assert.equal(reasonOf(await admit({ cost: nano(1), tokens: 1 })), 'key_ceiling')
})

test('on a clock set back a key has what is left of the day that is charged: one closed stays so', async (t, engine) => {
  const { admit, settle, other, clock } = await openGate(t, engine, { ceiling: nano(250) })
  await settle(holdOf(await admit()), 10, 100)
  clock.advance(12 * HOUR_MS)
  await other.settle(holdOf(await other.admit()), 10, 100)
  clock.advance(-1)
  const all = { cost: nano(250), tokens: 1 }
  await settle(holdOf(await admit(all)), 10, 240)
  assert.equal(reasonOf(await admit({ cost: nano(11), tokens: 1 })), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(10), tokens: 1 })), 'admitted')
})

test('a hold of yesterday counts for its key until it ends, and then for the day on which it does', async (t, engine) => {
  const { admit, settle, clock } = await openGate(t, engine, { ceiling: nano(250) })
  const hold = holdOf(await admit({ cost: nano(200), tokens: 1 }))
  clock.advance(12 * HOUR_MS)
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  await settle(hold, 10, 160)
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(90), tokens: 1 })), 'admitted')
})

test('a ceiling that is set counts what the key had spent, and what it holds, before it was', async (t, engine) => {
  const { admit, settle, updateKey } = await openGate(t, engine)
  await settle(holdOf(await admit()), 10, 100)
  const hold = holdOf(await admit())
  const later = holdOf(await admit())
  await updateKey({ ceiling: nano(350) })
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(40), tokens: 1 })), 'admitted')
  // These were placed when the key had no ceiling; what they are charged counts all the same.
  await settle(hold, 10, 90)
  assert.equal(reasonOf(await admit({ cost: nano(21), tokens: 1 })), 'key_ceiling')
  await settle(later, 10, 70)
  assert.equal(reasonOf(await admit({ cost: nano(51), tokens: 1 })), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(50), tokens: 1 })), 'admitted')
})

test('a ceiling that is raised, lowered or taken away holds for the very next request', async (t, engine) => {
  const { admit, updateKey } = await openGate(t, engine, { ceiling: nano(100) })
  await admit()
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  await updateKey({ ceiling: nano(200) })
  assert.equal(reasonOf(await admit()), 'admitted')
  await updateKey({ ceiling: nano(150) })
  assert.equal(reasonOf(await admit({ cost: ZERO, tokens: 1 })), 'key_ceiling')
  await updateKey({ ceiling: null })
  assert.equal(reasonOf(await admit()), 'admitted')
  await updateKey({ ceiling: nano(399) })
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  await updateKey({ ceiling: nano(400) })
  assert.equal(reasonOf(await admit()), 'admitted')
})

test('a key’s ceiling is met after its account’s, and before the balance', async (t, engine) => {
  const account = { minTier: 1, ceiling: ZERO, grant: 10 } as const
  const { admit, update, updateKey } = await openGate(t, engine, { ceiling: ZERO }, account)
  const everything = { cost: nano(11), tokens: 2_000_000 }
  assert.equal(reasonOf(await admit(everything)), 'ceiling')
  await update({ ceiling: null })
  assert.equal(reasonOf(await admit(everything)), 'key_ceiling')
  assert.equal(reasonOf(await admit(null)), 'counted')
  await updateKey({ ceiling: nano(11) })
  assert.equal(reasonOf(await admit(everything)), 'balance')
  assert.equal(reasonOf(await admit({ ...everything, cost: nano(10) })), 'tokens')
  await updateKey({ ceiling: ZERO })
  for (let count = 5; count < 10; count += 1) await admit(null)
  assert.equal(reasonOf(await admit(everything)), 'requests')
})

test('a key that has expired is unknown from that instant on, known as it is', async (t, engine) => {
  const expiresAtMs = createManualClock().nowMs() + HOUR_MS
  const { admit, gate, key, other, clock, updateKey } = await openGate(t, engine, { expiresAtMs })
  const looks = (maxAgeMs: number) => gate.recognise(key.keyHash, maxAgeMs)
  clock.advance(HOUR_MS - 1)
  assert.equal((await looks(60_000)).kind, 'recognised')
  assert.equal((await admit()).kind, 'admitted')
  clock.advance(1)
  assert.equal((await looks(60_000)).kind, 'unknown')
  assert.equal((await looks(0)).kind, 'unknown')
  assert.equal((await admit()).kind, 'unknown')
  assert.equal((await admit(null)).kind, 'unknown')
  assert.equal((await other.admit()).kind, 'admitted')
  await updateKey({ expiresAtMs: clock.nowMs() + 1 })
  assert.equal((await looks(60_000)).kind, 'recognised')
  assert.equal((await admit()).kind, 'admitted')
  clock.advance(1)
  assert.equal((await admit()).kind, 'unknown')
  await updateKey({ expiresAtMs: null })
  assert.equal((await admit()).kind, 'admitted')
})

test('a request under way when its key expires is charged, and its hold ends', async (t, engine) => {
  const expiresAtMs = createManualClock().nowMs() + 1
  const limits = { expiresAtMs, ceiling: nano(100) }
  const { admit, settle, held, balance, clock } = await openGate(t, engine, limits, { grant: 100 })
  const hold = holdOf(await admit())
  clock.advance(1)
  assert.equal((await admit()).kind, 'unknown')
  await settle(hold, 10, 70)
  assert.deepEqual([await held(), await balance()], [0, 30])
})

test('a key that is rolled ends after the overlap, and the new one has its ceiling to itself', async (t, engine) => {
  const { admit, settle, replica, key, clock } = await openGate(t, engine, { ceiling: nano(100) })
  await settle(holdOf(await admit()), 10, 100)
  const rolling = await replica.accounts.rollKey(key, { overlapMs: HOUR_MS }, 'test')
  assert.ok(rolling.kind === 'rolled')
  const { id: keyId, hash: keyHash } = rolling.created.row
  const next = createCaller(replica, { accountId: key.accountId, keyId, keyHash })
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  assert.equal(reasonOf(await next.admit()), 'admitted')
  assert.equal(reasonOf(await next.admit()), 'key_ceiling')
  clock.advance(HOUR_MS - 1)
  assert.equal(reasonOf(await admit()), 'key_ceiling')
  clock.advance(1)
  assert.equal(reasonOf(await admit()), 'unknown')
  assert.equal(reasonOf(await next.admit()), 'key_ceiling')
  assert.equal(reasonOf(await next.admit({ cost: ZERO, tokens: 1 })), 'admitted')
})

test('what one key spends on the same day as another is not the other’s', async (t, engine) => {
  const { admit, settle, other, replica, clock } = await openGate(t, engine, { ceiling: nano(100) })
  await other.settle(holdOf(await other.admit({ cost: nano(5_000), tokens: 1 })), 10, 5_000)
  await settle(holdOf(await admit()), 10, 40)
  clock.advance(12 * HOUR_MS)
  await other.settle(holdOf(await other.admit()), 10, 100)
  await settle(holdOf(await admit()), 10, 70)
  const repeated = await replica.gate.admit({
    keyHash: (await insertKey(replica, other.key.accountId, { ceiling: nano(100) })).keyHash,
    requestId: createId('req'),
    wanted: { cost: nano(100), tokens: 1 },
  })
  assert.equal(reasonOf(repeated), 'admitted')
  assert.equal(reasonOf(await admit({ cost: nano(31), tokens: 1 })), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(30), tokens: 1 })), 'admitted')
})
