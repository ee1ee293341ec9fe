import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { estimatePrompt } from './estimate-prompt.ts'
import type { Message, Prompt, Tool } from './prompt.ts'
import { countTokens } from './token-counter.ts'

const GREETING: Message = { role: 'user', content: 'Good morning! Is the ferry running today?' }
const LOOK_UP: Tool = {
  name: 'look_up_ferry',
  description: 'Finds the departures of a day.',
  parameters: {
    type: 'object',
    properties: { date: { type: 'string', format: 'date' } },
    required: ['date'],
  },
}

function promptOf(messages: readonly Message[], tools: readonly Tool[] = []): Prompt {
  return { messages, tools }
}

test('a prompt of nothing is only the opening of the reply', () => {
  assert.equal(estimatePrompt(promptOf([])), 3)
})

test('a message costs its content and four tokens, whatever its role', () => {
  const content = 'The quick answer is no.'
  const expected = 3 + 4 + countTokens(content)
  for (const role of ['system', 'user'] as const) {
    assert.equal(estimatePrompt(promptOf([{ role, content }])), expected)
  }
  assert.equal(estimatePrompt(promptOf([{ role: 'assistant', content, toolCalls: [] }])), expected)
})

test('a message that only calls tools costs its calls: ids, names and arguments', () => {
  const call = { id: 'call_81', name: 'look_up_ferry', arguments: '{"date":"2025-06-02"}' }
  const estimate = (toolCalls: readonly (typeof call)[]) =>
    estimatePrompt(promptOf([GREETING, { role: 'assistant', content: null, toolCalls }]))
  const one = estimate([call])
  const texts = countTokens(call.id) + countTokens(call.name) + countTokens(call.arguments)
  assert.ok(one >= estimate([]) + texts)
  assert.equal(estimate([call, call]) - one, one - estimate([]))
  assert.ok(estimate([{ ...call, id: `${call.id}_1f0c93be77` }]) > one)
  assert.ok(estimate([{ ...call, name: `${call.name}_for_a_whole_week` }]) > one)
  assert.ok(estimate([{ ...call, arguments: '{"date":"2025-06-02","port":"Hamnes"}' }]) > one)
})

test('arguments that are not JSON are counted as they stand', () => {
  const toolCalls = [{ id: 'a', name: 'b', arguments: '{"date": unfinished' }]
  assert.ok(estimatePrompt(promptOf([{ role: 'assistant', content: null, toolCalls }])) > 7)
})

test('a tool message costs its content and the id it answers', () => {
  const short = promptOf([GREETING, { role: 'tool', content: 'No ferry.', toolCallId: 'c' }])
  const long = promptOf([
    GREETING,
    { role: 'tool', content: 'No ferry.', toolCallId: 'call_4f9e1' },
  ])
  assert.ok(estimatePrompt(long) > estimatePrompt(short))
})

test('a tool definition costs its name, description and parameters', () => {
  const without = { ...LOOK_UP, parameters: undefined }
  const bare = estimatePrompt(promptOf([GREETING]))
  const named = estimatePrompt(promptOf([GREETING], [without]))
  const whole = estimatePrompt(promptOf([GREETING], [LOOK_UP]))
  assert.ok(named - bare >= countTokens(LOOK_UP.name) + countTokens(LOOK_UP.description))
  assert.equal(whole - named, countTokens(JSON.stringify(LOOK_UP.parameters)))
})

test('one more message or tool never lowers the estimate', () => {
  const message = fc
    .string({ unit: 'binary' })
    .map((content): Message => ({ role: 'user', content }))
  const tool = fc.record({
    name: fc.string(),
    description: fc.string(),
    parameters: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined }),
  })
  fc.assert(
    fc.property(
      fc.array(message),
      fc.array(tool),
      message,
      tool,
      (messages, tools, more, extra) => {
        const before = estimatePrompt({ messages, tools })
        assert.ok(estimatePrompt({ messages: [...messages, more], tools }) >= before + 4)
        assert.ok(estimatePrompt({ messages, tools: [...tools, extra] }) > before)
      },
    ),
  )
})
