import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgainIn, type Answered } from './ask-again-in.ts'

const NOW = 1_795_219_200_000

function answered(left: number, resetsInMs: number): Answered {
  const windows = {
    requests: { limit: 10, left },
    tokens: { limit: 10_000, left: 10_000 },
    resets_at: NOW + resetsInMs,
  }
  return { data: { windows, as_of: NOW }, dataUpdatedAt: NOW, errorUpdatedAt: 0 }
}

test('beside the stream it is asked for when the minute is over, or now and then', () => {
  assert.equal(askAgainIn(true, answered(9, 12_345)), 12_345)
  assert.equal(askAgainIn(true, answered(9, 59_000)), 30_000)
  assert.equal(askAgainIn(true, answered(9, 0)), 1_000)
  assert.equal(askAgainIn(true, answered(10, 12_345)), 30_000)
})

test('without the stream it is asked for every five seconds, and ever less often in vain', () => {
  const good = answered(10, 60_000)
  assert.equal(askAgainIn(false, good), 5_000)
  const waits: number[] = []
  let errorUpdatedAt = NOW
  for (let time = 0; time < 6; time += 1) {
    const waitMs = askAgainIn(false, { ...good, errorUpdatedAt })
    waits.push(waitMs / 1_000)
    errorUpdatedAt += waitMs
  }
  assert.deepEqual(waits, [5, 5, 10, 20, 40, 60])
  const never = { data: undefined, dataUpdatedAt: 0, errorUpdatedAt: NOW }
  assert.equal(askAgainIn(false, never), 5_000)
})
