import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from '#models/index.ts'
import type { ChatBody } from '../support/fake-upstream/index.ts'
import { setScene, type Body, type Scene } from './scene.ts'

const identity = { role: 'system', content: 'You are svc-prime-v1.' }

async function sent(scene: Scene, body: Body = {}): Promise<ChatBody> {
  const answer = await scene.ask(body)
  assert.equal(answer.status, 200, answer.text)
  return scene.upstream.requests.at(-1)?.body ?? {}
}

test('an upstream is told who it is, then what the caller said', async (t) => {
  const scene = await setScene(t)
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello 👋' },
  ]
  assert.deepEqual((await sent(scene, { messages })).messages, [identity, ...messages])
  await scene.ask({ messages }, 'nova')
  const [first] = scene.upstream.requests.at(-1)?.body.messages ?? []
  assert.equal(first?.content, 'You are svc-nova-v1.')
})

test('an upstream gets exactly what it needs: its own model, and always max_tokens', async (t) => {
  const scene = await setScene(t, { settings: { model: 'org/model:7b', apiKey: 'secret-of-it' } })
  assert.deepEqual(await sent(scene, { max_tokens: 100 }), {
    model: 'org/model:7b',
    messages: [identity, { role: 'user', content: 'Hello!' }],
    max_tokens: 100,
    stream: false,
  })
  const record = scene.upstream.requests.at(-1)
  assert.equal(record?.path, '/v1/chat/completions')
  assert.equal(record?.headers.authorization, 'Bearer secret-of-it')
  assert.equal((await sent(scene)).max_tokens, 8_192)
  assert.equal((await sent(scene, { max_tokens: 9_999 })).max_tokens, 8_192)
})

test("the caller's key and unknown fields stay here", async (t) => {
  const scene = await setScene(t)
  const extra = { top_p: 0.5, n: 3, user: 'me', model: 'other', stream_options: {}, tools: [] }
  const body = await sent(scene, { ...extra, max_tokens: 5 })
  assert.deepEqual(Object.keys(body).toSorted(), ['max_tokens', 'messages', 'model', 'stream'])
  const { headers } = scene.upstream.requests.at(-1) ?? {}
  assert.equal(headers?.authorization, undefined)
  assert.ok(!JSON.stringify(headers).includes(scene.key))
})

test('temperature is passed on where it is given, zero included', async (t) => {
  const scene = await setScene(t)
  for (const temperature of [0, 0.7, 2]) {
    assert.equal((await sent(scene, { temperature })).temperature, temperature)
  }
  assert.ok(!('temperature' in (await sent(scene))))
  assert.ok(!('temperature' in (await sent(scene, { temperature: null }))))
})

test('a stream is asked for with its usage, and with running usage where that is configured', async (t) => {
  const plain = await setScene(t)
  await plain.stream()
  const body = plain.upstream.requests.at(-1)?.body
  assert.equal(body?.stream, true)
  assert.deepEqual(body.stream_options, { include_usage: true })
  const running = await setScene(t, { settings: { continuousUsage: true } })
  await running.stream()
  assert.deepEqual(running.upstream.requests.at(-1)?.body.stream_options, {
    include_usage: true,
    continuous_usage_stats: true,
  })
})

test('a reply that may take longer than we wait for a first byte is asked for as a stream', async (t) => {
  const scene = await setScene(t, { settings: { timeoutMs: 20_000 } })
  const short = await sent(scene, { max_tokens: 100 })
  assert.equal(short.stream, false)
  assert.equal(short.stream_options, undefined)
  const long = await sent(scene, { max_tokens: 101 })
  assert.equal(long.stream, true)
  assert.deepEqual(long.stream_options, { include_usage: true })
})

test('tools are passed on; one without parameters is given an empty object of them', async (t) => {
  const scene = await setScene(t)
  const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
  const tools = [
    { type: 'function', function: { name: 'find', description: 'Finds.', parameters } },
    { type: 'function', function: { name: 'list', description: 'Lists.' } },
  ]
  const empty = {
    name: 'list',
    description: 'Lists.',
    parameters: { type: 'object', properties: {} },
  }
  assert.deepEqual((await sent(scene, { tools })).tools, [
    tools[0],
    { type: 'function', function: empty },
  ])
})

test('a history of calls and answers is passed on as the caller gave it', async (t) => {
  const scene = await setScene(t)
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'find', arguments: '{not json' },
  }
  const messages = [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
    { role: 'assistant', content: 'Here it is.' },
    { role: 'user', content: 'Thanks.' },
  ]
  const body = await sent(scene, { messages })
  // Servers that think may be sent more with it, but never anything else.
  assert.partialDeepStrictEqual(body.messages, [identity, ...messages])
  assert.equal(body.messages?.length, 1 + messages.length)
})

test('a DeepSeek server takes a history with calls, though it wants reasoning sent back', async (t) => {
  const scene = await setScene(t, { settings: { sendReasoning: true } })
  scene.upstream.play({ dialect: 'deepseek', content: 'Good.' })
  const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
  ]
  for (const brand of ['prime', 'nova'] as const) {
    const answer = await scene.ask({ messages }, brand)
    assert.equal(answer.status, 200, answer.text)
  }
})

const thought = { reasoning_content: 'I wonder what they mean by it. '.repeat(100) }

/** What the reasoning of an earlier reply adds to the tokens of a prompt. */
async function countReasoning(scene: Scene, reply: object, ...others: object[]): Promise<number> {
  async function count(told: object): Promise<number> {
    const messages = [{ role: 'user', content: 'Find it.' }, told, ...others]
    const answer = await scene.ask({ messages }, 'nova')
    assert.equal(answer.status, 200, answer.text)
    return answer.json.usage.prompt_tokens
  }
  return (await count({ ...reply, ...thought })) - (await count(reply))
}

test('reasoning that is sent back costs nothing, but where an upstream is told it', async (t) => {
  const plain = { role: 'assistant', content: 'Here it is.' }
  const call = { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }
  const calling = { ...plain, tool_calls: [call] }
  const found = { role: 'tool', tool_call_id: 'call_1', content: 'Found.' }
  for (const sendReasoning of [false, true]) {
    const scene = await setScene(t, { settings: { sendReasoning } })
    scene.upstream.play({ content: 'Good.', usage: 'none' })
    assert.equal(await countReasoning(scene, plain), 0)
    const expected = sendReasoning ? countTokens(thought.reasoning_content) : 0
    assert.equal(await countReasoning(scene, calling, found), expected)
  }
})
