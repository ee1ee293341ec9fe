import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeExactMoney, writeMoney, writePercent, writeSum } from './write-money.ts'

const [en, pt] = [{ language: 'en' }, { language: 'pt' }] as const
const plain = (text: string): string => text.replaceAll('\u00a0', ' ')

test('amounts are written as their reader writes them', () => {
  assert.deepEqual(
    [writeMoney('20.00', en), writeMoney('20.50', en), plain(writeMoney('20.50', pt))],
    ['€20', '€20.50', '20,50 €'],
  )
})

test('a sum is never more than there is, not even by less than a cent', () => {
  assert.deepEqual(
    ['1.00', '0.999999999', '-0.000000001', '9000000.009999999'].map((one) => writeSum(one, en)),
    ['€1.00', '€0.99', '-€0.01', '€9,000,000.00'],
  )
})

test('papers say every digit', () => {
  assert.deepEqual(
    ['16.26', '8999999.123456789'].map((one) => writeExactMoney(one, en)),
    ['€16.26', '€8,999,999.123456789'],
  )
})

test('rates have the decimals that they have', () => {
  assert.deepEqual(
    [writePercent(23, en), writePercent(5.5, en), plain(writePercent(8.1, pt))],
    ['23%', '5.5%', '8,1%'],
  )
})
