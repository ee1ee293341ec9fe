import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FINISH_REASONS, mapFinishReason } from './map-finish-reason.ts'

test("the contract's own reasons stay as they are", () => {
  for (const reason of ['stop', 'length', 'content_filter', 'error']) {
    assert.equal(mapFinishReason(reason, false), reason)
  }
  assert.equal(mapFinishReason('tool_calls', true), 'tool_calls')
})

test('any other word is a stop', () => {
  for (const reason of ['', 'eos', 'STOP', 'end_turn', 'function_call', 'constructor']) {
    assert.equal(mapFinishReason(reason, false), 'stop')
  }
})

test('where tool calls were sent, a stop is tool_calls', () => {
  for (const reason of ['stop', 'eos', 'function_call', '']) {
    assert.equal(mapFinishReason(reason, true), 'tool_calls')
  }
})

test('tool_calls without any is a stop', () => {
  assert.equal(mapFinishReason('tool_calls', false), 'stop')
})

test('tool calls do not hide why a reply was cut short', () => {
  for (const reason of ['length', 'content_filter', 'error']) {
    assert.equal(mapFinishReason(reason, true), reason)
  }
})

test('nothing else ever comes out', () => {
  for (const reason of ['stop', 'x', 'toString', 'length', 'tool_calls']) {
    for (const sent of [true, false]) {
      assert.ok(FINISH_REASONS.includes(mapFinishReason(reason, sent)))
    }
  }
})
