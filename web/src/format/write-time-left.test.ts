import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTimeLeft } from './write-time-left.ts'

test('a time to come is told in seconds, then minutes, then hours, and is never over too early', () => {
  const written = [-5, 0, 1, 41_001, 119_000, 119_001, 3_599_000, 3_600_000, 3_600_001, 11_520_000]
  assert.deepEqual(written.map(writeTimeLeft), [
    '1 s',
    '1 s',
    '1 s',
    '42 s',
    '119 s',
    '2 min',
    '60 min',
    '1 h',
    '1 h 1 min',
    '3 h 12 min',
  ])
})
