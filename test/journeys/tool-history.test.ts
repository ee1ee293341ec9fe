import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, openAccount, type Answer } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service } = await serveWithUpstream({ after }, { content: 'ok' })
const { key } = await openAccount(service, { min_tier: 3, depositEur: '100' })

function ask(messages: readonly object[], brand = 'prime'): Promise<Answer> {
  return chat(service, key, brand, { messages, max_tokens: 16 })
}

const question = { role: 'user', content: 'What is the weather?' }
const reply = { role: 'assistant', content: 'It is fine.' }

function asks(...ids: string[]): object {
  const calls = ids.map((id) => ({ id, function: { name: 'look', arguments: '{}' } }))
  return { role: 'assistant', content: null, tool_calls: calls }
}

function answers(id: string): object {
  return { role: 'tool', tool_call_id: id, content: 'sunny' }
}

const taken: Readonly<Record<string, readonly object[]>> = {
  'one call and its answer': [question, asks('a'), answers('a')],
  'three calls answered in their order': [
    question,
    asks('a', 'b', 'c'),
    answers('a'),
    answers('b'),
    answers('c'),
  ],
  'three calls answered in another order': [
    question,
    asks('a', 'b', 'c'),
    answers('c'),
    answers('a'),
    answers('b'),
  ],
  'two turns of calls, one after the other': [
    question,
    asks('a'),
    answers('a'),
    asks('b'),
    answers('b'),
  ],
  'the same id in a later turn': [question, asks('a'), answers('a'), asks('a'), answers('a')],
  'a conversation that goes on after its calls': [
    question,
    asks('a'),
    answers('a'),
    reply,
    question,
  ],
  'calls without a question before them': [asks('a'), answers('a')],
}

for (const [what, messages] of Object.entries(taken)) {
  test(`${what}: taken by all three brands, air too`, async () => {
    for (const brand of ['air', 'prime', 'nova']) {
      const answer = await ask(messages, brand)
      assert.equal(answer.status, 200, answer.text)
    }
  })
}

const refused: Readonly<Record<string, readonly [place: string, messages: readonly object[]]>> = {
  'a call without its answer': ['messages[1].tool_calls[0].id', [question, asks('a')]],
  'a call whose place the next question takes': [
    'messages[1].tool_calls[0].id',
    [question, asks('a'), question],
  ],
  'the second of two calls without its answer': [
    'messages[1].tool_calls[1].id',
    [question, asks('a', 'b'), answers('a')],
  ],
  'a question between a call and its answer': [
    'messages[1].tool_calls[0].id',
    [question, asks('a'), question, answers('a')],
  ],
  'a reply between two answers': [
    'messages[1].tool_calls[1].id',
    [question, asks('a', 'b'), answers('a'), reply, answers('b')],
  ],
  'a system message between a call and its answer': [
    'messages[1].tool_calls[0].id',
    [question, asks('a'), { role: 'system', content: 'Be kind.' }, answers('a')],
  ],
  'an answer at the very beginning': ['messages[0].tool_call_id', [answers('a'), question]],
  'an answer to a question': ['messages[1].tool_call_id', [question, answers('a')]],
  'an answer to no call of the message before': [
    'messages[3].tool_call_id',
    [question, asks('a'), answers('a'), answers('b')],
  ],
  'an answer to a call of an earlier turn': [
    'messages[4].tool_call_id',
    [question, asks('a'), answers('a'), reply, answers('a')],
  ],
  'a second answer': [
    'messages[3].tool_call_id',
    [question, asks('a'), answers('a'), answers('a')],
  ],
  'two calls of one message with the same id': [
    'messages[1].tool_calls[1].id',
    [question, asks('a', 'a'), answers('a'), answers('a')],
  ],
  'an id in another case': ['messages[1].tool_calls[0].id', [question, asks('a'), answers('A')]],
}

for (const [what, [place, messages]] of Object.entries(refused)) {
  test(`${what}: refused at ${place}, on every brand and for the rest of the conversation`, async () => {
    for (const brand of ['air', 'prime']) {
      for (const history of [messages, [...messages, reply, question]]) {
        const message = assertRefused(await ask(history, brand), 'invalid_request')
        assert.ok(message.startsWith(`${place}: `), `${message} instead of ${place}`)
      }
    }
  })
}

test('the message says which call has no answer', async () => {
  const answer = await ask([question, reply, question, asks('call_1')])
  const message = assertRefused(answer, 'invalid_request')
  assert.equal(message, 'messages[3].tool_calls[0].id: no tool message answers call_1')
})

test('of several breaks the first is told', async () => {
  const answer = await ask([question, answers('a'), asks('b'), question])
  assert.match(assertRefused(answer, 'invalid_request'), /^messages\[1\]\.tool_call_id: /)
})
