import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { KeySpend } from '#platform/funds.ts'
import { createId } from '#platform/ids.ts'
import { NANO_PER_EURO, nano, ZERO, type NanoEuro } from '#platform/money.ts'
import { holdOf, reasonOf, small } from '../../test/support/gate-caller.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { AdmissionRequest, Hold, Key, Standing } from './gate.ts'
import { createMemoryGate } from './memory-gate.ts'

const KEY: Key = { keyId: 'key', accountId: 'account', expiresAtMs: null, ceiling: null }

const TODAY = '2026-11-21'
const NO_SPEND: KeySpend = { day: '', spent: ZERO, version: 1 }

function standingOf(changes: Partial<Standing['funds'] & Standing> = {}): Standing {
  const { suspended = false, minTier = 3, ceiling = null, ...funds } = changes
  const before = { balance: nano(NANO_PER_EURO), deposits: ZERO, spentDay: '', spent: ZERO }
  return { suspended, minTier, ceiling, funds: { ...before, version: 1, ...funds } }
}

/** A gate over one account, whose store a test can change and hold back. */
function startGate(t: TestContext, standing: Standing = standingOf()) {
  const clock = createManualClock()
  const store = { owner: KEY as Key | undefined, standing, keySpend: NO_SPEND, reads: 0 }
  let until: Promise<unknown> = Promise.resolve()
  async function read<Value>(value: Value): Promise<Value> {
    store.reads += 1
    await until
    return value
  }
  const source = {
    findKey: () => read(store.owner),
    readStanding: () => read(store.standing),
    readKeySpend: () => read(store.keySpend),
  }
  const gate = createMemoryGate({ source, clock })
  t.after(() => gate.close())
  return {
    gate,
    clock,
    store,
    admit: (wanted: AdmissionRequest['wanted'] = small) =>
      gate.admit({ keyHash: 'hash', requestId: createId('req'), wanted }),
    /** Reads wait until the function that it gives is called. */
    holdReads(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      until = promise
      return resolve
    },
    /** Reads from now on wait for nothing; those that are held stay so. */
    letRead(): void {
      until = Promise.resolve()
    },
    /** The key as it is now, and nobody knows it as it was. */
    limitKey(ceiling: NanoEuro | null): void {
      store.owner = { ...KEY, ceiling }
      gate.forgetKey('hash')
    },
    /** Ends a hold as its charge does: the store has it before the gate is told. */
    charge(hold: Hold, cost: number): void {
      const { version, spent } = store.keySpend
      store.keySpend = { day: TODAY, spent: nano(spent + cost), version: version + 1 }
      const { funds } = standingOf({ spentDay: TODAY, ...store.keySpend })
      const { spent: keySpent } = store.keySpend
      gate.settle(hold, { tokens: 1, funds, ...(hold.needsKeySpent && { keySpent }) })
    },
  }
}

async function turn(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await Promise.resolve()
}

test('the first requests of an account, all at once, share the reads that they need', async (t) => {
  const { admit, store } = startGate(t, standingOf({ minTier: 1 }))
  const admissions = await Promise.all(Array.from({ length: 50 }, () => admit()))
  assert.equal(admissions.filter(({ kind }) => kind === 'admitted').length, 10)
  assert.equal(store.reads, 2)
})

test('news of funds that comes late does not undo what is newer', async (t) => {
  const { admit, gate, store } = startGate(t)
  const hold = holdOf(await admit())
  gate.settle(hold, {
    tokens: 1,
    funds: { ...standingOf().funds, balance: nano(1_000), version: 3 },
  })
  store.standing = standingOf({ balance: nano(9_999), version: 2 })
  gate.forgetAccount('account')
  const refused = await admit({ cost: nano(1_001), tokens: 1 })
  assert.equal(reasonOf(refused), 'balance')
})

test('a key that is revoked while it is looked up is unknown, whenever in between', async (t) => {
  for (let turns = 0; turns < 12; turns += 1) {
    const { admit, gate, store, holdReads } = startGate(t)
    const goOn = holdReads()
    const before = admit(null)
    await turn(5)
    goOn()
    await turn(turns)
    store.owner = undefined
    gate.forgetKey('hash')
    await before
    assert.equal((await admit(null)).kind, 'unknown', `after ${turns} turns`)
  }
})

test('an account that is suspended while it is read is suspended, whenever in between', async (t) => {
  for (let turns = 0; turns < 16; turns += 1) {
    const { admit, gate, store, holdReads } = startGate(t)
    await admit(null)
    gate.forgetAccount('account')
    const goOn = holdReads()
    const before = [admit(null), admit(null)]
    await turn(5)
    goOn()
    await turn(turns)
    store.standing = standingOf({ suspended: true, version: 2 })
    gate.forgetAccount('account')
    await Promise.all(before)
    assert.equal((await admit(null)).kind, 'suspended', `after ${turns} turns`)
  }
})

test('what was charged while an account was read is not lost when idle ones are swept', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { admit, gate, clock, store, holdReads } = startGate(t, standingOf({ balance: nano(150) }))
  const hold = holdOf(await admit())
  gate.forgetAccount('account')
  const goOn = holdReads()
  const waiting = admit({ cost: nano(150), tokens: 1 })
  await turn(5)
  // The read that is under way is from before this charge.
  store.standing = standingOf({ balance: nano(50), version: 2 })
  gate.settle(hold, { tokens: 10, funds: store.standing.funds })
  clock.advance(60_000)
  t.mock.timers.tick(60_000)
  goOn()
  assert.equal(reasonOf(await waiting), 'balance')
})

test('a store that fails fails the request, and not the next one', async (t) => {
  const clock = createManualClock()
  let broken = true
  const source = {
    findKey: async () => KEY,
    async readStanding() {
      if (broken) throw new Error('no store')
      return standingOf()
    },
    readKeySpend: async () => NO_SPEND,
  }
  const gate = createMemoryGate({ source, clock })
  t.after(() => gate.close())
  await assert.rejects(gate.admit({ keyHash: 'hash', requestId: 'req', wanted: small }), /no store/)
  broken = false
  assert.equal(
    (await gate.admit({ keyHash: 'hash', requestId: 'req', wanted: small })).kind,
    'admitted',
  )
})

test('an unknown key is looked up each time, for it may have been made since', async (t) => {
  const { admit, store } = startGate(t)
  store.owner = undefined
  assert.equal((await admit()).kind, 'unknown')
  store.owner = KEY
  assert.equal((await admit()).kind, 'admitted')
})

test('a hold cannot be settled where there is no account at the gate', (t) => {
  const { gate } = startGate(t)
  const hold = { accountId: 'nobody', keyId: 'key', cost: ZERO, tokens: 0 }
  assert.throws(
    () => gate.settle(hold as Hold, { tokens: 0, funds: standingOf().funds }),
    /ended twice/,
  )
})

test('what a key spent while that was read is not lost, whether its charge tells it or not', async (t) => {
  const { admit, charge, limitKey, holdReads } = startGate(t)
  const untold = [holdOf(await admit()), holdOf(await admit())] as const
  limitKey(nano(300))
  const told = holdOf(await admit())
  // Placed when the key had no ceiling, it does not tell what the key has spent: that must be read.
  charge(untold[0], 100)
  const goOn = holdReads()
  const waiting = admit({ cost: nano(1), tokens: 1 })
  await turn(5)
  charge(told, 100)
  goOn()
  assert.equal(reasonOf(await waiting), 'key_ceiling')
  charge(untold[1], 99)
  assert.equal(reasonOf(await admit({ cost: nano(2), tokens: 1 })), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(1), tokens: 1 })), 'admitted')
})

test('what a key spent is read anew where a charge that does not tell it comes meanwhile', async (t) => {
  const { admit, charge, limitKey, holdReads } = startGate(t)
  const untold = holdOf(await admit())
  limitKey(nano(150))
  const goOn = holdReads()
  const waiting = admit({ cost: nano(51), tokens: 1 })
  // The key is looked up first.
  await turn(5)
  goOn()
  const spendIsRead = holdReads()
  await turn(5)
  charge(untold, 100)
  spendIsRead()
  assert.equal(reasonOf(await waiting), 'key_ceiling')
  assert.equal(reasonOf(await admit({ cost: nano(50), tokens: 1 })), 'admitted')
})

test('what a key spent while that was read is not lost when idle accounts are swept', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { admit, gate, charge, clock, limitKey, holdReads, letRead } = startGate(t)
  const untold = holdOf(await admit())
  limitKey(nano(300))
  const told = holdOf(await admit())
  charge(untold, 100)
  const goOn = holdReads()
  const waiting = admit({ cost: nano(200), tokens: 1 })
  await turn(5)
  // The read that is under way is from before this charge.
  charge(told, 100)
  clock.advance(60_000)
  t.mock.timers.tick(60_000)
  letRead()
  const other = gate.admit({
    keyHash: 'hash',
    requestId: 'other',
    wanted: { cost: nano(101), tokens: 1 },
  })
  await turn(12)
  goOn()
  assert.deepEqual([await waiting, await other].map(reasonOf), ['key_ceiling', 'key_ceiling'])
})
