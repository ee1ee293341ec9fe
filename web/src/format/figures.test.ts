import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCount, writeEuros, writeShortCount } from './figures.ts'

/** Intl parts digits and signs by narrow and hard spaces. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

test('euros are written to the last decimal that they have, and with cents at least', () => {
  assert.equal(plain(writeEuros('1.00', 'en-GB')), '€1.00')
  assert.equal(plain(writeEuros('0.000000001', 'en-GB')), '€0.000000001')
  assert.equal(plain(writeEuros('9000000.123456789', 'en-GB')), '€9,000,000.123456789')
  assert.equal(plain(writeEuros('-12.50', 'en-GB')), '-€12.50')
  assert.equal(plain(writeEuros('12.50', 'en-GB', 'exceptZero')), '+€12.50')
  assert.equal(plain(writeEuros('1234567.5', 'pt-PT')), '1 234 567,50 €')
})

test('counts are grouped as their reader groups them', () => {
  assert.equal(writeCount(1_234_567, 'en-GB'), '1,234,567')
  assert.equal(plain(writeCount(1_234_567, 'pt-PT')), '1 234 567')
  assert.equal(writeShortCount(1_234_567, 'en-GB'), '1.2m')
})
