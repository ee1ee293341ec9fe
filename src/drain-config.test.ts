import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_FILE, problemsOf } from '../test/support/config-files.ts'
import { readConfig } from './config.ts'

test('how long the service takes to stop can be set', () => {
  const env = { ...NO_FILE, PARLEY_DRAIN_DELAY_MS: '5000', PARLEY_DRAIN_MS: '600000' }
  assert.deepEqual(readConfig(env).drain, { delayMs: 5_000, limitMs: 600_000 })
})

test('what is no time, or longer than an hour, is refused', () => {
  for (const text of ['', '-1', '5s', '1e3', '3600001']) {
    assert.deepEqual(problemsOf({ PARLEY_DRAIN_DELAY_MS: text, PARLEY_DRAIN_MS: text }), [
      'PARLEY_DRAIN_DELAY_MS: must be milliseconds, from 0 to 3600000',
      'PARLEY_DRAIN_MS: must be milliseconds, from 0 to 3600000',
    ])
  }
})
