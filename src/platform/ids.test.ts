import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createId, type IdPrefix } from './ids.ts'

const COUNT = 20_000

function createMany(prefix: IdPrefix): string[] {
  return Array.from({ length: COUNT }, () => createId(prefix))
}

test('an id tells what it names and is a UUID of version 7 behind it', () => {
  for (const prefix of ['acc', 'aud', 'key', 'per', 'req', 'chatcmpl', 'call'] as const) {
    assert.match(
      createId(prefix),
      new RegExp(`^${prefix}_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$`),
    )
  }
})

test('ids sort as text in the order they were made, those of one millisecond too', () => {
  const ids = createMany('req')
  assert.deepEqual(ids.toSorted(), ids)
})

test('ids go on in order when the clock is set back', (t) => {
  const before = createId('req')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
  const after = createId('req')
  assert.ok(after > before)
})

test('no id is made twice', () => {
  assert.equal(new Set(createMany('key')).size, COUNT)
})

test('an id begins with its moment, so that rows of a day lie side by side', () => {
  const before = Date.now()
  const atMs = Number.parseInt(createId('acc').slice('acc_'.length, 'acc_'.length + 12), 16)
  assert.ok(Math.abs(atMs - before) < 10_000)
})
