import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCoalescedLoad } from './coalesced-load.ts'

/** A store of one number, whose reads take what is there when they begin and end when told to. */
function createSlowReads() {
  let value = 0
  const open: { end(): void; fail(): void }[] = []
  function read(): Promise<number> {
    const seen = value
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    open.push({ end: () => resolve(seen), fail: () => reject(new Error('no store')) })
    return promise
  }
  return {
    read,
    open,
    write: (next: number) => {
      value = next
    },
    async endAll(): Promise<void> {
      while (open.length > 0) {
        open.shift()?.end()
        await drain()
      }
    },
  }
}

/** Lets everything that is ready to run, run. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('all who ask at the same time share one read', async () => {
  const reads = createSlowReads()
  const { load } = createCoalescedLoad(reads.read)
  const asked = [load('a'), load('a'), load('a')]
  assert.equal(reads.open.length, 1)
  await reads.endAll()
  assert.deepEqual(await Promise.all(asked), [0, 0, 0])
})

test('a later question reads again, and other ids have reads of their own', async () => {
  const reads = createSlowReads()
  const { load } = createCoalescedLoad(reads.read)
  const first = Promise.all([load('a'), load('b')])
  assert.equal(reads.open.length, 2)
  await reads.endAll()
  reads.write(7)
  const second = load('a')
  await reads.endAll()
  assert.deepEqual([await first, await second], [[0, 0], 7])
})

test('those who wait for what was discarded get what is there afterwards', async () => {
  const reads = createSlowReads()
  const { load, discard } = createCoalescedLoad(reads.read)
  const before = load('a')
  reads.write(1)
  discard('a')
  const after = load('a')
  await reads.endAll()
  assert.deepEqual([await before, await after], [1, 1])
})

test('a discard of what nobody loads changes nothing', async () => {
  const reads = createSlowReads()
  const { load, discard } = createCoalescedLoad(reads.read)
  discard('a')
  const asked = load('a')
  discard('b')
  await reads.endAll()
  assert.equal(await asked, 0)
})

test('a read that fails fails for those who wait, and the next question reads again', async () => {
  const reads = createSlowReads()
  const { load } = createCoalescedLoad(reads.read)
  const asked = Promise.allSettled([load('a'), load('a')])
  reads.open.shift()?.fail()
  assert.deepEqual(
    (await asked).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const again = load('a')
  await reads.endAll()
  assert.equal(await again, 0)
})

test('nobody is told what was there before the discard that came before they asked', async () => {
  const steps = fc.array(fc.constantFrom('ask', 'change', 'end-oldest', 'end-newest'), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const reads = createSlowReads()
      const { load, discard } = createCoalescedLoad(reads.read)
      let value = 0
      const asked: Promise<void>[] = []
      for (const command of commands) {
        if (command === 'change') {
          value += 1
          reads.write(value)
          discard('a')
        }
        if (command === 'ask') {
          const least = value
          asked.push(load('a').then((told) => assert.ok(told >= least, `${told} < ${least}`)))
        }
        if (command === 'end-oldest') reads.open.shift()?.end()
        if (command === 'end-newest') reads.open.pop()?.end()
        await Promise.resolve()
      }
      await reads.endAll()
      await Promise.all(asked)
    }),
    { numRuns: 1_000 },
  )
})
