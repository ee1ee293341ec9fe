import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatCompletionChunk, ToolCall } from 'parley-client'
import {
  beginReply,
  changeTurns,
  findOpenCalls,
  withoutLastReply,
  type Turn,
} from './conversation.ts'

const user: Turn = { kind: 'user', id: 1, content: 'Hello' }
const call: ToolCall = { id: 'call_1', function: { name: 'get_weather', arguments: '{}' } }

type Choice = ChatCompletionChunk['choices'][number]

function chunk(delta: Choice['delta'], finish: Choice['finish_reason'] = null) {
  const choices = [{ index: 0, delta, finish_reason: finish } as const]
  return { id: 'a', object: 'chat.completion.chunk', created: 0, model: 'm', choices } as const
}

test('a reply is put together of its pieces, and of no other reply’s', () => {
  let turns = changeTurns([], { kind: 'asked', turns: [user], reply: beginReply(2, 'nova') })
  turns = changeTurns(turns, { kind: 'accepted', replyId: 2, requestId: 'req_1' })
  for (const came of [
    chunk({ role: 'assistant' }),
    chunk({ reasoning_content: 'Hm.' }),
    chunk({ content: 'Let ' }),
    chunk({ content: 'me look.' }),
    chunk({ tool_calls: [{ index: 0, ...call }] }),
    chunk({}, 'tool_calls'),
  ]) {
    turns = changeTurns(turns, { kind: 'came', replyId: 2, chunk: came })
    turns = changeTurns(turns, { kind: 'came', replyId: 1, chunk: came })
  }
  assert.deepEqual(findOpenCalls(turns), [], 'it is not over yet')
  turns = changeTurns(turns, { kind: 'ended', replyId: 2, state: 'complete' })
  assert.deepEqual(turns, [
    user,
    {
      ...beginReply(2, 'nova'),
      state: 'complete',
      content: 'Let me look.',
      reasoning: 'Hm.',
      toolCalls: [call],
      finishReason: 'tool_calls',
      requestId: 'req_1',
    },
  ])
  assert.deepEqual(findOpenCalls(turns), [call])
  assert.deepEqual(withoutLastReply(turns), [user])
  assert.deepEqual(withoutLastReply([user]), [user])
  assert.deepEqual(changeTurns(turns, { kind: 'cleared' }), [])
})

test('a reply that failed waits for nothing', () => {
  const reply = { ...beginReply(2, 'nova'), toolCalls: [call] }
  const problem = new Error('away')
  const turns = changeTurns([user, reply], { kind: 'failed', replyId: 2, problem })
  assert.deepEqual(turns[1], { ...reply, state: 'failed', problem })
  assert.deepEqual(findOpenCalls(turns), [])
})
