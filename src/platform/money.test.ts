import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addNano,
  formatEuros,
  MAX_BALANCE,
  maxNano,
  minNano,
  nano,
  parseEuros,
  subtractNano,
} from './money.ts'

/** Ends included: most mistakes with money are made at zero, at a whole euro and at the bound. */
const amounts = fc
  .oneof(
    fc.integer({ min: 0, max: MAX_BALANCE }),
    fc.integer({ min: 0, max: 2_000_000_000 }),
    fc.integer({ min: 0, max: 9_000_000 }).map((euros) => euros * 1_000_000_000),
    fc.constantFrom(0, 1, 999_999_999, 1_000_000_000, MAX_BALANCE - 1, MAX_BALANCE),
  )
  .map(nano)

const texts = fc.oneof(
  fc.string(),
  fc.stringMatching(/^\d{0,9}\.?\d{0,11}$/),
  fc.stringMatching(/^[-+ ]?[\d.,eE_]{0,14}$/),
)

/** The same figure written by other means: in integers that have no bound. */
function writeExactly(amountNano: bigint): string {
  const size = amountNano < 0n ? -amountNano : amountNano
  const decimals = String(size % 1_000_000_000n).padStart(9, '0')
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/0+$/, '')
  return `${amountNano < 0n ? '-' : ''}${size / 1_000_000_000n}.${shown}`
}

test('every amount that is written can be read again, and is the same', () => {
  fc.assert(
    fc.property(amounts, (amount) => assert.equal(parseEuros(formatEuros(amount)), amount)),
    { numRuns: 5_000 },
  )
})

test('an amount is written exactly, with two to nine decimals, below zero too', () => {
  fc.assert(
    fc.property(amounts, fc.boolean(), (amount, isNegative) => {
      const signed = nano(isNegative && amount !== 0 ? 0 - amount : amount)
      const text = formatEuros(signed)
      assert.match(text, /^-?(0|[1-9]\d*)\.\d{2,9}$/)
      assert.equal(text, writeExactly(BigInt(signed)))
    }),
    { numRuns: 5_000 },
  )
})

test('amounts are written as people write them', () => {
  const written: readonly [number, string][] = [
    [0, '0.00'],
    [1, '0.000000001'],
    [260, '0.00000026'],
    [10_000_000, '0.01'],
    [1_000_000_000, '1.00'],
    [1_500_000_000, '1.50'],
    [-1, '-0.000000001'],
    [-1_230_000_000, '-1.23'],
    [MAX_BALANCE, '9000000.00'],
  ]
  for (const [amount, text] of written) assert.equal(formatEuros(nano(amount)), text)
})

test('a sum beyond what a number is exact for is written exactly too', () => {
  assert.equal(formatEuros(2n ** 63n - 1n), '9223372036.854775807')
  assert.equal(formatEuros(-1_500_000_000n), '-1.50')
})

test('euros are read with or without decimals, and leading zeros change nothing', () => {
  const read: readonly [string, number][] = [
    ['0', 0],
    ['10', 10_000_000_000],
    ['007.5', 7_500_000_000],
    ['0.5', 500_000_000],
    ['1.000000001', 1_000_000_001],
    ['0.00', 0],
    ['9000000', MAX_BALANCE],
  ]
  for (const [text, amount] of read) assert.equal(parseEuros(text), amount, text)
})

test('what is no amount of euros is refused', () => {
  const refused = ['', ' ', '.', '.5', '5.', '-1', '+1', '1e3', '0x10', '1,5', '1 000', ' 1', '1 ']
  const beyond = ['0.0000000001', '1.0000000000', '10000000', '1_0', 'NaN', 'Infinity', '١', '1\n']
  for (const text of [...refused, ...beyond]) assert.equal(parseEuros(text), undefined, text)
})

test('reading any text gives an exact amount or nothing, and never throws', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const amount = parseEuros(text)
      if (amount === undefined) return
      const [whole = '', decimals = ''] = text.split('.')
      assert.equal(BigInt(amount), BigInt(whole) * 1_000_000_000n + BigInt(decimals.padEnd(9, '0')))
    }),
    { numRuns: 10_000, examples: [['9007199.254740992'], ['9007200'], ['9999999.999999999']] },
  )
})

test('a sum or difference that is not exact is a bug, and is told', () => {
  const most = nano(Number.MAX_SAFE_INTEGER)
  assert.throws(() => addNano(most, nano(1)), /not an exact amount/)
  assert.throws(() => subtractNano(nano(-1), most), /not an exact amount/)
  for (const wrong of [0.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => nano(wrong), /not an exact/)
  }
})

test('sums, differences and extremes are those of unbounded integers', () => {
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      assert.equal(BigInt(subtractNano(a, b)), BigInt(a) - BigInt(b))
      assert.equal(minNano(a, b), Math.min(a, b))
      assert.equal(maxNano(a, b), Math.max(a, b))
      if (a + b <= MAX_BALANCE) assert.equal(BigInt(addNano(a, b)), BigInt(a) + BigInt(b))
    }),
  )
})
