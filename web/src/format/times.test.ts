import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeDuration, writeSecond } from './times.ts'

const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

test('durations are in the unit that reads best', () => {
  assert.equal(plain(writeDuration(0, 'en-GB')), '0ms')
  assert.equal(plain(writeDuration(999, 'en-GB')), '999ms')
  assert.equal(plain(writeDuration(12_345, 'en-GB')), '12.35s')
  assert.equal(plain(writeDuration(12_300, 'pt-PT')), '12,3 s')
})

test('a moment in UTC says that it is', () => {
  const atMs = Date.UTC(2026, 10, 21, 23, 59, 58)
  assert.equal(plain(writeSecond(atMs, 'en-GB', 'UTC')), '21 Nov 2026, 23:59:58 UTC')
})
