import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createMemoryGate } from '#gate/index.ts'
import { nano, ZERO } from '#platform/money.ts'
import { createManualClock } from '../support/manual-clock.ts'

const MEBIBYTE = 1024 * 1024
const WINDOW_MS = 60_000
/** One store for all tests here: its rows are no part of what the gate holds. */
const standing = {
  suspended: false,
  minTier: 3 as const,
  ceiling: null,
  funds: { balance: nano(10 ** 12), deposits: ZERO, spentDay: '', spent: ZERO, version: 1 },
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function measureHeap(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

function startGate() {
  const clock = createManualClock()
  const reads = { keys: 0, standings: 0 }
  const gate = createMemoryGate({
    clock,
    source: {
      async findKey(keyHash) {
        reads.keys += 1
        return { keyId: keyHash, accountId: keyHash, expiresAtMs: null, ceiling: null }
      },
      async readStanding() {
        reads.standings += 1
        return standing
      },
      readKeySpend: async () => ({ day: '', spent: ZERO, version: 1 }),
    },
  })
  /** One request from its admission to its end; false where it was refused. */
  async function request(keyHash: string): Promise<boolean> {
    const admission = await gate.admit({
      keyHash,
      requestId: keyHash,
      wanted: { cost: nano(5), tokens: 5 },
    })
    if (admission.kind !== 'admitted') return false
    gate.settle(admission.hold, { tokens: 3, funds: standing.funds })
    return true
  }
  return { clock, gate, reads, request }
}

test('a thousand keys with a thousand requests each take no more room than with one', async (t) => {
  const { clock, gate, request } = startGate()
  t.after(() => gate.close())
  const keys = Array.from({ length: 1_000 }, (_, index) => `key-${index}`)
  const goRound = async (): Promise<number> => {
    let admitted = 0
    for (const key of keys) if (await request(key)) admitted += 1
    return admitted
  }
  for (let round = 0; round < 10; round += 1) await goRound()
  const before = measureHeap()
  let admitted = 0
  for (let round = 0; round < 1_000; round += 1) {
    if (round % 400 === 0) clock.advance(WINDOW_MS)
    admitted += await goRound()
  }
  const grown = measureHeap() - before
  assert.equal(admitted, 1_000_000)
  assert.ok(grown < 2 * MEBIBYTE, `the heap has grown by ${grown} bytes`)
})

test('what is kept of those who have not called for a minute is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { clock, gate, reads, request } = startGate()
  t.after(() => gate.close())
  const fillAndSweep = async (): Promise<number> => {
    const before = measureHeap()
    for (let index = 0; index < 50_000; index += 1) await request(`key-${index}`)
    const taken = measureHeap() - before
    clock.advance(WINDOW_MS)
    t.mock.timers.tick(WINDOW_MS)
    return taken
  }
  // The first round also makes what stays for good: compiled code, room in tables.
  await fillAndSweep()
  const before = measureHeap()
  assert.ok((await fillAndSweep()) > 5 * MEBIBYTE, 'there is nothing to give up')
  const left = measureHeap() - before
  assert.ok(left < MEBIBYTE, `${left} bytes are left`)
  const { standings } = reads
  await request('key-1')
  assert.equal(reads.standings, standings + 1)
})

test('an account with a request under way is kept, and so is its hold', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { clock, gate, reads } = startGate()
  t.after(() => gate.close())
  const admission = await gate.admit({
    keyHash: 'busy',
    requestId: 'r',
    wanted: { cost: nano(5), tokens: 5 },
  })
  assert.ok(admission.kind === 'admitted')
  for (let minute = 0; minute < 10; minute += 1) {
    clock.advance(WINDOW_MS)
    t.mock.timers.tick(WINDOW_MS)
  }
  assert.equal((await gate.held(['busy'])).get('busy'), 5)
  await gate.release(admission.hold)
  assert.equal((await gate.held(['busy'])).get('busy'), 0)
  assert.deepEqual(reads, { keys: 1, standings: 1 })
})

test('strangers leave nothing behind', async (t) => {
  const clock = createManualClock()
  const source = {
    findKey: async () => undefined,
    readStanding: async () => standing,
    readKeySpend: () => Promise.reject(new Error('a stranger has no key')),
  }
  const gate = createMemoryGate({ source, clock })
  t.after(() => gate.close())
  const knock = async (from: number): Promise<void> => {
    for (let index = from; index < from + 50_000; index += 1) {
      await gate.recognise(`stranger-${index}`, 0)
    }
  }
  await knock(0)
  const before = measureHeap()
  await knock(50_000)
  const grown = measureHeap() - before
  assert.ok(grown < MEBIBYTE, `the heap has grown by ${grown} bytes`)
})
