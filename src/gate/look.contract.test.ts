import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { NANO_PER_EURO, nano, ZERO } from '#platform/money.ts'
import type { Engine } from '#platform/store/index.ts'
import { testOnEachEngine as test } from '../../test/support/each-engine.ts'
import { holdOf, openCaller, reasonOf, type AccountWanted } from '../../test/support/gate-caller.ts'
import { openGateStore, startReplica } from '../../test/support/gate-rooms.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'

/** What every gate says to who looks, without a request of theirs. */
const stores = {
  sqlite: await openGateStore({ after }, 'sqlite'),
  postgres: await openGateStore({ after }, 'postgres'),
}

async function openGate(t: TestContext, engine: Engine, wanted: AccountWanted = {}) {
  const clock = createManualClock()
  const replica = startReplica(stores[engine], { clock })
  t.after(() => replica.close())
  const caller = await openCaller(replica, wanted)
  const look = () => replica.gate.look(caller.key.accountId)
  return { clock, ...caller, look, blocker: async () => (await look()).blocker }
}

test('an account that has called nobody yet has all of a window left', async (t, engine) => {
  const { look, clock } = await openGate(t, engine, { minTier: 2 })
  const { allowance, held, standing, spentToday, ceilingLeft, blocker, atMs } = await look()
  assert.deepEqual(allowance, {
    tier: { number: 2, requestsPerMinute: 100, tokensPerMinute: 200_000 },
    requestsLeft: 100,
    tokensLeft: 200_000,
    resetMs: clock.nowMs() + 60_000,
    resetS: 60,
  })
  assert.deepEqual([held, spentToday, ceilingLeft, blocker], [0, 0, null, null])
  assert.deepEqual([standing.suspended, standing.ceiling, standing.minTier], [false, null, 2])
  assert.deepEqual([standing.funds.balance, atMs], [NANO_PER_EURO, clock.nowMs()])
})

test('a look counts nothing, begins no window and sees what the last request left', async (t, engine) => {
  const { look, admit, settle, clock } = await openGate(t, engine, { minTier: 1 })
  for (let count = 0; count < 20; count += 1) await look()
  clock.advance(30_000)
  const admission = await admit({ cost: nano(100), tokens: 500 })
  const hold = holdOf(admission)
  assert.ok('allowance' in admission)
  const during = await look()
  assert.deepEqual(during.allowance, admission.allowance)
  assert.equal(during.held, 100)
  clock.advance(10_000)
  const { allowance } = await settle(hold, 30, 40)
  const afterwards = await look()
  assert.deepEqual(afterwards.allowance, allowance)
  assert.deepEqual([afterwards.held, afterwards.spentToday], [0, 40])
  assert.equal(afterwards.standing.funds.balance, NANO_PER_EURO - 40)
  clock.advance(50_000)
  assert.equal((await look()).allowance.requestsLeft, 10)
})

test('who looks is told what would stop the next request, in the order of the checks', async (t, engine) => {
  const { admit, settle, update, blocker, look, clock } = await openGate(t, engine, {
    minTier: 1,
    grant: 150,
    ceiling: nano(100),
  })
  const hold = holdOf(await admit({ cost: nano(100), tokens: 10_000 }))
  assert.equal(await blocker(), 'ceiling')
  assert.equal(reasonOf(await admit()), await blocker())
  assert.equal((await look()).ceilingLeft, 0)
  await update({ ceiling: nano(130) })
  assert.equal((await look()).ceilingLeft, 30)
  // Of the balance 50 are free, of the tokens none.
  assert.equal(await blocker(), 'tokens')
  await settle(hold, 10_000, 150)
  await update({ ceiling: null })
  assert.equal(await blocker(), 'balance')
  for (let count = 2; count < 10; count += 1) await admit(null)
  assert.equal(await blocker(), 'requests')
  await update({ suspended: true })
  assert.equal(await blocker(), 'suspended')
  await update({ suspended: false, ceiling: ZERO })
  clock.advance(60_000)
  assert.equal(await blocker(), 'ceiling')
})

test('a ceiling is of the day that it is', async (t, engine) => {
  const { admit, settle, look, clock } = await openGate(t, engine, { ceiling: nano(250) })
  await settle(holdOf(await admit()), 10, 250)
  const spent = await look()
  assert.deepEqual([spent.blocker, spent.spentToday, spent.ceilingLeft], ['ceiling', 250, 0])
  clock.advance(12 * 3_600_000)
  const { blocker, spentToday, ceilingLeft } = await look()
  assert.deepEqual([blocker, spentToday, ceilingLeft], [null, 0, 250])
})

test('money that was paid in is seen at once, with the tier that it lifts to', async (t, engine) => {
  const { look, deposit, blocker } = await openGate(t, engine, { minTier: 1, grant: 0 })
  assert.equal(await blocker(), 'balance')
  await deposit(20 * NANO_PER_EURO)
  const { allowance, blocker: now } = await look()
  assert.deepEqual([allowance.tier.number, allowance.requestsLeft, now], [2, 100, null])
})
