import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addEuros, compareEuros, missingEuros } from './exact-euros.ts'

test('sums are exact where floating-point numbers are not', () => {
  assert.equal(addEuros(['0.10', '0.20']), '0.30')
  assert.equal(addEuros(['9000000.000000001', '0.000000002', '-1.00']), '8999999.000000003')
  assert.equal(addEuros(['0.01', '-0.03']), '-0.02')
  assert.equal(addEuros([]), '0.00')
  assert.equal(addEuros(Array.from({ length: 10_000 }, () => '0.00000026')), '0.0026')
})

test('amounts are compared by what they are, not as text', () => {
  assert.deepEqual(['10.00', '9.00', '-2.00', '-10.00', '9.000000001'].toSorted(compareEuros), [
    '-10.00',
    '-2.00',
    '9.00',
    '9.000000001',
    '10.00',
  ])
  assert.equal(compareEuros('1.00', '1.000'), 0)
})

test('what is missing is never below zero', () => {
  assert.equal(missingEuros('1.00', '10.00'), '9.00')
  assert.equal(missingEuros('-5.00', '10.00'), '15.00')
  assert.equal(missingEuros('12.00', '10.00'), '0.00')
})
