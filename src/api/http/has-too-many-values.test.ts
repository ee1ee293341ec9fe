import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasTooManyValues } from './has-too-many-values.ts'

/** What the bytes are counted for, from the value that they mean. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  return children.reduce<number>(
    (sum, child) => sum + countValues(child),
    1 + Math.max(0, children.length - 1),
  )
}

const unit = fc.constantFrom('"', '\\', ',', '[', '{', '}', 'é', '👋', ' ')
/** Long ones are searched in another way, which must know an escaped quote as well. */
const long = fc
  .tuple(fc.nat(200), fc.string({ unit, maxLength: 12 }), fc.nat(200))
  .map(([before, odd, after]) => ','.repeat(before) + odd + '['.repeat(after))
const text = fc.oneof(fc.string({ unit }), long)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    text,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
}))

test('brackets, braces and commas count, except within a text', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(0, 1, '\t'), (one, space) => {
      const json = Buffer.from(JSON.stringify(one, null, space))
      const count = countValues(one)
      assert.equal(hasTooManyValues(json, count), false)
      if (count > 0) assert.equal(hasTooManyValues(json, count - 1), true)
    }),
    { numRuns: 500 },
  )
})

test('a text without an end is one value, and what no JSON is only counted', () => {
  assert.equal(hasTooManyValues(Buffer.from(`["${'['.repeat(100)}`), 1), false)
  assert.equal(hasTooManyValues(Buffer.from('"\\'), 0), false)
  assert.equal(hasTooManyValues(Buffer.from('[,,,'), 3), true)
  assert.equal(hasTooManyValues(Buffer.from('[,,,'), 4), false)
})
