import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatEuros, MAX_BALANCE, nano } from '#platform/money.ts'
import { splitTax } from './split-tax.ts'

const NANO_PER_CENT = 10_000_000
const amounts = fc.nat(MAX_BALANCE).map(nano)
const cents = fc.nat(MAX_BALANCE / NANO_PER_CENT).map((count) => nano(count * NANO_PER_CENT))
const rates = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((steps) => steps / 10_000),
  fc.double({ min: 0, max: 100, noNaN: true }),
)

test('net and tax are the amount, exactly, and the tax is whole cents', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const { net, tax } = splitTax(amount, rate)
      assert.equal(net + tax, amount)
      assert.ok(net >= 0 && tax >= 0)
      assert.equal(tax % NANO_PER_CENT, 0)
    }),
    { numRuns: 2_000 },
  )
})

test('the tax is less than a cent from what it is unrounded', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 1_000_000 }), (amount, steps) => {
      const whole = 1_000_000n + BigInt(steps)
      const { tax } = splitTax(amount, steps / 10_000)
      const off = BigInt(tax) * whole - BigInt(amount) * BigInt(steps)
      assert.ok((off < 0n ? -off : off) * 2n <= BigInt(NANO_PER_CENT) * whole)
    }),
    { numRuns: 2_000 },
  )
})

test('a cent more has never less tax, nor less net', () => {
  fc.assert(
    fc.property(cents, rates, (amount, rate) => {
      const [less, more] = [splitTax(amount, rate), splitTax(nano(amount + NANO_PER_CENT), rate)]
      assert.ok(more.tax >= less.tax && more.net >= less.net)
    }),
    { numRuns: 2_000 },
  )
})

test('figures that everybody can check', () => {
  for (const [euros, rate, net, tax] of [
    [20, 23, '16.26', '3.74'],
    [10, 19, '8.40', '1.60'],
    [100, 0, '100.00', '0.00'],
    [100, 100, '50.00', '50.00'],
    [50, 5.5, '47.39', '2.61'],
    [10, 8.1, '9.25', '0.75'],
    [0.03, 100, '0.01', '0.02'],
  ] as const) {
    const split = splitTax(nano(euros * 1_000_000_000), rate)
    assert.deepEqual([formatEuros(split.net), formatEuros(split.tax)], [net, tax])
  }
})
