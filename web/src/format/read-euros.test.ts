import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEuros } from './read-euros.ts'

test('amounts are read with a comma or a point, and exactly', () => {
  assert.equal(readEuros('5'), '5')
  assert.equal(readEuros(' 5,50 € '), '5.50')
  assert.equal(readEuros('€0.000000001'), '0.000000001')
  assert.equal(readEuros('9\u{a0}000'), '9000')
  assert.equal(readEuros('0,125'), '0.125')
  assert.equal(readEuros('1000.125'), '1000.125')
})

test('what is no amount is refused, never guessed', () => {
  for (const typed of [
    '',
    'five',
    '-1',
    '1,000.50',
    '1.2.3',
    '1e3',
    '0.0000000001',
    '12345678',
    '1.000',
    '1,000',
  ]) {
    assert.equal(readEuros(typed), undefined, typed)
  }
})
