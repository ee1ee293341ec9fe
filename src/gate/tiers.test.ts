import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NANO_PER_EURO, nano } from '#platform/money.ts'
import { nextTierOf, tierOf, TIERS, type TierNumber } from './tiers.ts'

function tierFor(balanceNano: number, depositsNano: number, minTier: TierNumber = 1): number {
  return tierOf({ balance: nano(balanceNano), deposits: nano(depositsNano) }, minTier).number
}

test('below 10 € is tier 1, 10 € to 100 € inclusive is tier 2, above is tier 3', () => {
  const worth: readonly [number, TierNumber][] = [
    [0, 1],
    [10 * NANO_PER_EURO - 1, 1],
    [10 * NANO_PER_EURO, 2],
    [100 * NANO_PER_EURO, 2],
    [100 * NANO_PER_EURO + 1, 3],
  ]
  for (const [amount, tier] of worth) {
    assert.equal(tierFor(amount, 0), tier)
    assert.equal(tierFor(0, amount), tier)
  }
})

test('the higher of deposits and balance counts, not their sum', () => {
  const sixEuros = 6 * NANO_PER_EURO
  assert.equal(tierFor(sixEuros, sixEuros), 1)
  assert.equal(tierFor(NANO_PER_EURO, 50 * NANO_PER_EURO), 2)
})

test('a minimum tier lifts and never lowers', () => {
  assert.equal(tierFor(0, 0, 2), 2)
  assert.equal(tierFor(0, 0, 3), 3)
  assert.equal(tierFor(200 * NANO_PER_EURO, 0, 2), 3)
})

test('deposits below zero, after refunds, count as nothing', () => {
  assert.equal(tierFor(0, -50 * NANO_PER_EURO), 1)
})

test('the tiers allow what the contract says', () => {
  assert.deepEqual(
    Object.values(TIERS).map((tier) => [tier.requestsPerMinute, tier.tokensPerMinute]),
    [
      [10, 10_000],
      [100, 200_000],
      [500, 1_000_000],
    ],
  )
})

test('the next tier says from where it begins and how far one has come', () => {
  const next = (balance: number, deposits: number, minTier: TierNumber = 1) =>
    nextTierOf({ balance: nano(balance), deposits: nano(deposits) }, minTier)
  assert.deepEqual(next(1, 2), { tier: TIERS[2], from: 10 * NANO_PER_EURO, have: 2 })
  const above = { tier: TIERS[3], from: 100 * NANO_PER_EURO }
  assert.deepEqual(next(10 * NANO_PER_EURO, 0), { ...above, have: 10 * NANO_PER_EURO })
  assert.deepEqual(next(3, 0, 2), { ...above, have: 3 })
  assert.deepEqual(next(-5, 0, 1)?.have, 0)
  assert.equal(next(100 * NANO_PER_EURO + 1, 0), undefined)
  assert.equal(next(0, 0, 3), undefined)
})
