import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDrain } from './drain-config.ts'

test('how long the service takes to stop can be set', () => {
  const problems: string[] = []
  const env = { PARLEY_DRAIN_DELAY_MS: '5000', PARLEY_DRAIN_MS: '600000' }
  assert.deepEqual(readDrain(env, problems), { delayMs: 5_000, limitMs: 600_000 })
  assert.deepEqual(problems, [])
})

test('what is no time, or longer than an hour, is refused', () => {
  for (const text of ['', '-1', '5s', '1e3', '3600001']) {
    const problems: string[] = []
    readDrain({ PARLEY_DRAIN_DELAY_MS: text, PARLEY_DRAIN_MS: text }, problems)
    assert.deepEqual(problems, [
      'PARLEY_DRAIN_DELAY_MS: must be milliseconds, from 0 to 3600000',
      'PARLEY_DRAIN_MS: must be milliseconds, from 0 to 3600000',
    ])
  }
})
