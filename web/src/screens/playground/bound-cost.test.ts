import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceTokens } from './bound-cost.ts'

test('tokens are priced to the last digit, with cents at least', () => {
  assert.equal(priceTokens(1, 0.26), '0.00000026')
  assert.equal(priceTokens(4_096, 9.5), '0.038912')
  assert.equal(priceTokens(1_000_000, 3.1), '3.10')
  assert.equal(priceTokens(0, 3.1), '0.00')
  assert.equal(priceTokens(9_007_199_254_740_991, 9.5), '85568392920.0394145')
})
