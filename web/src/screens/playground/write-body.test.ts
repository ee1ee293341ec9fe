import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolCall } from 'parley-client'
import { beginReply, type Turn } from './conversation.ts'
import { EXAMPLE_TOOLS } from './read-tools.ts'
import { findProblems, writeBody, type Settings } from './write-body.ts'

const bare: Settings = { brand: 'nova', system: ' ', temperature: '', maxTokens: '', tools: '' }
const user: Turn = { kind: 'user', id: 1, content: 'Weather?' }

test('what is left out is left out', () => {
  const request = { messages: [{ role: 'user', content: 'Weather?' }] }
  assert.deepEqual(writeBody(bare, true, [user]), request)
})

test('a conversation with tools is written as the API reads it', () => {
  const call: ToolCall = {
    id: 'call_1',
    type: 'function',
    function: { name: 'get_weather', arguments: '{"city":"Lisboa"}' },
  }
  const reply: Turn = { ...beginReply(2, 'nova'), state: 'complete', toolCalls: [call] }
  const nothing: Turn = { ...beginReply(3, 'nova'), state: 'stopped' }
  const broken: Turn = { ...reply, id: 5, state: 'failed' }
  const settings = {
    ...bare,
    system: 'Be brief.',
    temperature: '0,5',
    maxTokens: ' 100 ',
    tools: EXAMPLE_TOOLS,
  }
  const turns: Turn[] = [
    user,
    reply,
    { kind: 'result', id: 4, call, content: 'sunny' },
    nothing,
    broken,
  ]
  assert.deepEqual(writeBody(settings, true, turns), {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [call],
      },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
    ],
    tools: [{ type: 'function', function: JSON.parse(EXAMPLE_TOOLS)[0] }],
    max_tokens: 100,
    temperature: 0.5,
  })
  assert.equal(writeBody(settings, false, turns).tools, undefined)
})

test('what would be refused is found before', () => {
  assert.deepEqual(findProblems(bare, true), {})
  const wrong = { ...bare, temperature: '2.1', maxTokens: '1.5', tools: '{}' }
  assert.deepEqual(findProblems(wrong, true), {
    temperature: 'temperature',
    maxTokens: 'maxTokens',
    tools: 'noList',
  })
  for (const [tools, problem] of [
    ['[', 'noJson'],
    ['[{"description":"no name"}]', 'noName'],
    ['[null]', 'noName'],
    ['[{"type":"function","function":{"name":"a"}}]', undefined],
  ] as const) {
    assert.equal(findProblems({ ...bare, tools }, true).tools, problem, tools)
  }
  assert.deepEqual(findProblems({ ...bare, temperature: 'hot', tools: '[' }, false), {
    temperature: 'temperature',
  })
})
