import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault } from './fault.ts'

test('a fault keeps its public sentence apart from its private reason and cause', () => {
  const cause = new Error('the private cause')
  const fault = new Fault('upstream_error', 'Try again.', { reason: 'private', cause })
  assert.equal(fault.code, 'upstream_error')
  assert.equal(fault.message, 'Try again.')
  assert.equal(fault.reason, 'private')
  assert.equal(fault.cause, cause)
  assert.equal(fault.retryAfterS, undefined)
  assert.doesNotMatch(fault.message, /private/)
})

test('a fault without a cause has none', () => {
  assert.ok(!('cause' in new Fault('not_found', 'Nothing is here.')))
})
