import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAmount } from './is-amount.ts'

test('an amount is what the contract takes, and more than nothing', () => {
  for (const text of ['1', '20.00', '0.000000001', '9000000']) assert.equal(isAmount(text, 9), true)
  for (const text of ['', '0', '0.00', '-1', '+1', '1,50', '1.', '.5', '1e3', '12345678', '20 ']) {
    assert.equal(isAmount(text, 9), false, text)
  }
  assert.deepEqual([isAmount('5.01', 2), isAmount('5.001', 2)], [true, false])
})
