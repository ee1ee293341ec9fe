import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call, openAccount, type Answer } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

// So wide a window that what is tested here is met first.
const wide = { contextWindow: 10_000_000 }
const { service, upstream } = await serveWithUpstream(
  { after },
  { content: 'ok' },
  { brands: { air: wide, prime: wide, nova: wide } },
)
const { key } = await openAccount(service, { min_tier: 3, depositEur: '9000' })

/** Each request finds a minute of its own. */
function ask(body: unknown, brand = 'prime'): Promise<Answer> {
  service.clock.advance(60_000)
  return call(service, 'POST', `/v1/chat/${brand}`, { key, body })
}

/** What is sent, and where it is wrong; undefined where nothing is. */
type Row = readonly [what: string, body: unknown, path?: string]

function testRows(field: string, rows: readonly Row[]): void {
  for (const [what, body, path] of rows) {
    test(`${field}: ${what} is ${path === undefined ? 'taken' : `refused at ${path}`}`, async () => {
      const answer = await ask(body)
      if (path === undefined) return assert.equal(answer.status, 200, answer.text.slice(0, 500))
      const message = assertRefused(answer, 'invalid_request')
      assert.ok(message.startsWith(`${path}: `), message)
    })
  }
}

const question = { role: 'user', content: 'Hello!' }
const wave = '👋'

function saying(content: unknown, role = 'user'): object {
  return { messages: [question, { role, content }] }
}

interface CallSent {
  readonly id?: unknown
  readonly type?: unknown
  readonly function?: object
}

/** A history whose assistant message makes these calls, each answered at once. */
function calling(toolCalls: readonly CallSent[], content?: unknown): object {
  const answers = toolCalls.map(({ id }) => ({ role: 'tool', content: '', tool_call_id: id }))
  const asking = {
    role: 'assistant',
    tool_calls: toolCalls,
    ...(content !== undefined && { content }),
  }
  return { messages: [question, asking, ...answers] }
}

function toolCall(fields: object = {}, id: unknown = 'call_1'): CallSent {
  return { id, type: 'function', function: { name: 'look', arguments: '{}', ...fields } }
}

function answering(fields: object): object {
  const answer = { role: 'tool', content: 'seen', tool_call_id: 'call_1', ...fields }
  return { messages: [question, { role: 'assistant', tool_calls: [toolCall()] }, answer] }
}

function offering(...tools: unknown[]): object {
  return { messages: [question], tools }
}

function tool(fields: object = {}): object {
  return { type: 'function', function: { name: 'look', ...fields } }
}

function plus(fields: object): object {
  return { messages: [question], ...fields }
}

function repeat<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

testRows('messages', [
  ['one', { messages: [question] }],
  ['200', { messages: repeat(200, () => question) }],
  ['201', { messages: repeat(201, () => question) }, 'messages'],
  ['none', { messages: [] }, 'messages'],
  ['no field', {}, 'messages'],
  ['null', { messages: null }, 'messages'],
  ['text', { messages: 'Hello!' }, 'messages'],
  ['an object', { messages: question }, 'messages'],
  ['a null among them', { messages: [question, null] }, 'messages[1]'],
  ['a text among them', { messages: ['Hello!'] }, 'messages[0]'],
  ['an array among them', { messages: [[question]] }, 'messages[0]'],
  ['a system message alone', { messages: [{ role: 'system', content: 'Be kind.' }] }, 'messages'],
  ['an assistant message alone', { messages: [{ role: 'assistant' }] }],
  ['no role', { messages: [{ content: 'Hello!' }] }, 'messages[0].role'],
  ['a role of null', { messages: [{ ...question, role: null }] }, 'messages[0].role'],
  ['an unknown role', { messages: [{ ...question, role: 'developer' }] }, 'messages[0].role'],
  ['a role in capitals', { messages: [{ ...question, role: 'User' }] }, 'messages[0].role'],
  ['a role of __proto__', { messages: [{ ...question, role: '__proto__' }] }, 'messages[0].role'],
])

for (const role of ['user', 'system']) {
  testRows(`content of a ${role} message`, [
    ['one character', saying('x', role)],
    ['200000 characters', saying('x'.repeat(200_000), role)],
    ['200001 characters', saying('x'.repeat(200_001), role), 'messages[1].content'],
    ['200000 emoji', saying(wave.repeat(200_000), role)],
    ['200001 emoji', saying(wave.repeat(200_001), role), 'messages[1].content'],
    ['half of an emoji', saying('\ud83d', role)],
    ['an empty text', saying('', role), 'messages[1].content'],
    ['null', saying(null, role), 'messages[1].content'],
    ['nothing', { messages: [question, { role }] }, 'messages[1].content'],
    ['a number', saying(1, role), 'messages[1].content'],
    ['a list of parts', saying([{ type: 'text', text: 'x' }], role), 'messages[1].content'],
  ])
}

testRows('content of an assistant message', [
  ['an empty text', saying('', 'assistant')],
  ['null', saying(null, 'assistant')],
  ['nothing', { messages: [question, { role: 'assistant' }] }],
  ['200000 characters', saying('x'.repeat(200_000), 'assistant')],
  ['200001 characters', saying('x'.repeat(200_001), 'assistant'), 'messages[1].content'],
  ['200000 emoji', saying(wave.repeat(200_000), 'assistant')],
  ['a number', saying(1, 'assistant'), 'messages[1].content'],
  ['null beside tool calls', calling([toolCall()], null)],
])

testRows('a tool message', [
  ['an empty content', answering({ content: '' })],
  ['200000 characters', answering({ content: 'x'.repeat(200_000) })],
  ['200001 characters', answering({ content: 'x'.repeat(200_001) }), 'messages[2].content'],
  ['a content of null', answering({ content: null }), 'messages[2].content'],
  ['an object as content', answering({ content: {} }), 'messages[2].content'],
  ['no tool_call_id', answering({ tool_call_id: undefined }), 'messages[2].tool_call_id'],
  ['a tool_call_id of null', answering({ tool_call_id: null }), 'messages[2].tool_call_id'],
  ['a number as tool_call_id', answering({ tool_call_id: 1 }), 'messages[2].tool_call_id'],
  ['an empty tool_call_id', answering({ tool_call_id: '' }), 'messages[2].tool_call_id'],
  [
    'a tool_call_id of 201',
    answering({ tool_call_id: 'x'.repeat(201) }),
    'messages[2].tool_call_id',
  ],
])

const CALL = 'messages[1].tool_calls[0]'

testRows('tool_calls', [
  ['64', calling(repeat(64, (index) => toolCall({}, `call_${index}`)))],
  ['65', calling(repeat(65, (index) => toolCall({}, `call_${index}`))), 'messages[1].tool_calls'],
  ['an empty list', calling([])],
  ['null', { messages: [question, { role: 'assistant', tool_calls: null }] }],
  ['an object', { messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0].tool_calls'],
  ['null in the list', { messages: [question, { role: 'assistant', tool_calls: [null] }] }, CALL],
  ['an id of 1', calling([toolCall({}, 'x')])],
  ['an id of 200', calling([toolCall({}, 'x'.repeat(200))])],
  ['an id of 200 emoji', calling([toolCall({}, wave.repeat(200))])],
  ['an id of 201', calling([toolCall({}, 'x'.repeat(201))]), `${CALL}.id`],
  ['an empty id', calling([toolCall({}, '')]), `${CALL}.id`],
  ['no id', calling([{ ...toolCall(), id: undefined }]), `${CALL}.id`],
  ['no type', calling([{ ...toolCall(), type: undefined }])],
  ['a type of null', calling([{ ...toolCall(), type: null }])],
  ['another type', calling([{ ...toolCall(), type: 'custom' }]), `${CALL}.type`],
  ['no function', calling([{ id: 'call_1' }]), `${CALL}.function`],
  ['no name', calling([toolCall({ name: undefined })]), `${CALL}.function.name`],
  ['an empty name', calling([toolCall({ name: '' })]), `${CALL}.function.name`],
  ['a name of 64', calling([toolCall({ name: 'x'.repeat(64) })])],
  ['a name of 65', calling([toolCall({ name: 'x'.repeat(65) })]), `${CALL}.function.name`],
  ['no arguments', calling([toolCall({ arguments: undefined })])],
  ['arguments of null', calling([toolCall({ arguments: null })])],
  ['arguments that are not JSON', calling([toolCall({ arguments: '{"city":' })])],
  ['an object as arguments', calling([toolCall({ arguments: {} })]), `${CALL}.function.arguments`],
  ['arguments of 100000', calling([toolCall({ arguments: 'x'.repeat(100_000) })])],
  ['arguments of 100000 emoji', calling([toolCall({ arguments: wave.repeat(100_000) })])],
  [
    'arguments of 100001',
    calling([toolCall({ arguments: 'x'.repeat(100_001) })]),
    `${CALL}.function.arguments`,
  ],
])

testRows('tools', [
  ['64', offering(...repeat(64, () => tool()))],
  ['65', offering(...repeat(65, () => tool())), 'tools'],
  ['an empty list', offering()],
  ['null', plus({ tools: null })],
  ['an object', plus({ tools: {} }), 'tools'],
  ['a null among them', offering(tool(), null), 'tools[1]'],
  ['no type', offering({ function: { name: 'look' } })],
  ['a type of null', offering({ ...tool(), type: null })],
  ['another type', offering({ ...tool(), type: 'custom' }), 'tools[0].type'],
  ['no function', offering({ type: 'function' }), 'tools[0].function'],
  ['a function of null', offering({ type: 'function', function: null }), 'tools[0].function'],
  ['no name', offering(tool({ name: undefined })), 'tools[0].function.name'],
  ['an empty name', offering(tool({ name: '' })), 'tools[0].function.name'],
  ['a name of 64', offering(tool({ name: 'x'.repeat(64) }))],
  ['a name of 64 emoji', offering(tool({ name: wave.repeat(64) }))],
  ['a name of 65', offering(tool({ name: 'x'.repeat(65) })), 'tools[0].function.name'],
  ['a number as name', offering(tool({ name: 1 })), 'tools[0].function.name'],
  ['an empty description', offering(tool({ description: '' }))],
  ['a description of null', offering(tool({ description: null }))],
  ['a description of 4000', offering(tool({ description: 'x'.repeat(4_000) }))],
  ['a description of 4000 emoji', offering(tool({ description: wave.repeat(4_000) }))],
  [
    'a description of 4001',
    offering(tool({ description: 'x'.repeat(4_001) })),
    'tools[0].function.description',
  ],
  ['parameters of null', offering(tool({ parameters: null }))],
  ['empty parameters', offering(tool({ parameters: {} }))],
  ['any parameters', offering(tool({ parameters: { type: 'nothing', 'x-mine': [1] } }))],
  ['a list as parameters', offering(tool({ parameters: [] })), 'tools[0].function.parameters'],
  ['text as parameters', offering(tool({ parameters: '{}' })), 'tools[0].function.parameters'],
])

testRows('stream', [
  ['true', plus({ stream: true })],
  ['false', plus({ stream: false })],
  ['null', plus({ stream: null })],
  ['text', plus({ stream: 'true' }), 'stream'],
  ['a number', plus({ stream: 1 }), 'stream'],
])

testRows('max_tokens', [
  ['1', plus({ max_tokens: 1 })],
  ['1.0', '{"messages":[{"role":"user","content":"x"}],"max_tokens":1.0}'],
  ['null', plus({ max_tokens: null })],
  ['0', plus({ max_tokens: 0 }), 'max_tokens'],
  ['-1', plus({ max_tokens: -1 }), 'max_tokens'],
  ['1.5', plus({ max_tokens: 1.5 }), 'max_tokens'],
  ['text', plus({ max_tokens: '1' }), 'max_tokens'],
  ['true', plus({ max_tokens: true }), 'max_tokens'],
])

testRows('temperature', [
  ['0', plus({ temperature: 0 })],
  ['2', plus({ temperature: 2 })],
  ['0.7', plus({ temperature: 0.7 })],
  ['null', plus({ temperature: null })],
  ['-0.1', plus({ temperature: -0.1 }), 'temperature'],
  ['2.1', plus({ temperature: 2.1 }), 'temperature'],
  ['text', plus({ temperature: '1' }), 'temperature'],
  ['1e999', '{"messages":[{"role":"user","content":"x"}],"temperature":1e999}', 'temperature'],
])

for (const maxTokens of [8_193, 1_000_000_000, Number.MAX_SAFE_INTEGER, 2 ** 60, 1e300]) {
  test(`max_tokens of ${maxTokens} is lowered to the model's ceiling`, async () => {
    const answer = await ask(plus({ max_tokens: maxTokens }))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(upstream.requests.at(-1)?.body.max_tokens, 8_192)
  })
}

test("max_tokens below the ceiling is passed on, and left out it is the model's maximum", async () => {
  for (const [brand, sent, received] of [
    ['air', 4_096, 4_096],
    ['air', 17, 17],
    ['air', undefined, 4_096],
    ['prime', undefined, 8_192],
    ['nova', null, 8_192],
  ] as const) {
    assert.equal((await ask(plus({ max_tokens: sent }), brand)).status, 200)
    assert.equal(upstream.requests.at(-1)?.body.max_tokens, received)
  }
})

test('temperature is passed on as it is, and not made up', async () => {
  for (const temperature of [0, 0.35, 2, null, undefined]) {
    await ask(plus({ temperature }))
    const { body } = upstream.requests.at(-1)!
    assert.equal(body.temperature, temperature ?? undefined)
    assert.equal('temperature' in body, typeof temperature === 'number')
  }
})

test('fields that the contract does not name are ignored wherever they are, and go no further', async () => {
  const stray = { model: { gpt: 4 }, n: 3, top_p: 'x', stop: [''], stream_options: 1, user: null }
  const answer = await ask({
    ...stray,
    messages: [{ ...question, name: 5, tool_calls: 'x', tool_call_id: 7 }],
    tools: [{ ...tool({ strict: 1 }), cache: true }],
  })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.model, 'svc-prime-v1')
  assert.equal(answer.json.choices.length, 1)
  const { body } = upstream.requests.at(-1)!
  assert.equal(body.model, 'fake-model')
  for (const name of ['n', 'top_p', 'stop', 'user']) assert.equal(name in body, false)
  assert.deepEqual(body.messages?.at(-1), question)
})

test("the first invalid field is told, in the order of the contract's tables and not of the body", async () => {
  const wrong: Record<string, unknown> = {
    temperature: 'hot',
    max_tokens: 0,
    stream: 1,
    tools: [{ function: { description: 1, name: '' }, type: 'x' }],
    messages: [question, { tool_call_id: '', content: 1, role: 'tool' }, { role: 'x' }],
  }
  const mended = [
    ['messages[1].content', { messages: [question, { role: 'tool', content: '' }] }],
    ['messages[1].tool_call_id', { messages: [question, { role: 'x' }] }],
    ['messages[1].role', { messages: [question] }],
    ['tools[0].type', { tools: [{ function: { description: 1, name: '' } }] }],
    ['tools[0].function.name', { tools: [tool({ description: 1 })] }],
    ['tools[0].function.description', { tools: [tool()] }],
    ['stream', { stream: false }],
    ['max_tokens', { max_tokens: 1 }],
    ['temperature', { temperature: 1 }],
  ] as const
  for (const [path, mending] of mended) {
    const message = assertRefused(await ask(wrong), 'invalid_request')
    assert.ok(message.startsWith(`${path}: `), `${message} instead of ${path}`)
    Object.assign(wrong, mending)
  }
  assert.equal((await ask(wrong)).status, 200)
})

test('what is wrong with the messages as a whole comes before the fields after them', async () => {
  const system = { role: 'system', content: 'Be kind.' }
  const onlySystem = await ask({ messages: [system], temperature: 9 })
  assert.match(assertRefused(onlySystem, 'invalid_request'), /^messages: /)
  const unanswered = { messages: [question, { role: 'assistant', tool_calls: [toolCall()] }] }
  const broken = await ask({ ...unanswered, max_tokens: 0 })
  assert.match(assertRefused(broken, 'invalid_request'), /^messages\[1\]\.tool_calls\[0\]\.id: /)
})

test('a refusal never repeats what was sent', async () => {
  const secret = 'canary-5150'
  const bodies = [
    saying([secret]),
    offering({ ...tool(), type: secret }),
    plus({ temperature: secret }),
    { messages: [{ role: secret, content: 'x' }] },
    `{"messages": ${secret}}`,
  ]
  for (const body of bodies) {
    const message = assertRefused(await ask(body), 'invalid_request')
    assert.equal(message.includes(secret), false, message)
  }
})
