import assert from 'node:assert/strict'
import { after } from 'node:test'
import { chat, hello, openAccount, operate, readEvents } from '../support/call.ts'
import { countTinyTokens, renderTinyPrompt } from '../support/llama/count-tiny-tokens.ts'
import { listEngines } from '../support/llama/engine-processes.ts'
import { makeTinyUpstream, testWithEngine as test } from '../support/llama/test-with-engine.ts'
import { startService, type Service } from '../support/service.ts'

const THINKING = ['\n<think>Hm.</think>Já ok!<|im_end|>']
const CALLING = ['\n<tool_call>{"name": "', '</tool_call><|im_end|>', '"x"', '0}', '1}', '2}', '3}']
const CALLING_AGAIN = [...CALLING.filter((line) => !line.startsWith('<')), '</tool_call>\n']

const LOOK_UP = {
  type: 'function',
  function: {
    name: 'look_up',
    description: 'Looks up the weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
}

const closes: (() => void | Promise<void>)[] = []
const scope = { after: (close: () => void | Promise<void>) => void closes.unshift(close) }
after(async () => {
  for (const close of closes) await close()
})
let opened: Promise<{ readonly service: Service; readonly key: string }> | undefined

/** One service for all tests: air and nova share a model that thinks, prime has one that calls. */
function open(): NonNullable<typeof opened> {
  opened ??= start()
  return opened
}

async function start() {
  const thinking = { upstreams: [makeTinyUpstream(scope, { lines: THINKING })] }
  const calling = { upstreams: [makeTinyUpstream(scope, { lines: CALLING })] }
  const service = await startService({ brands: { air: thinking, nova: thinking, prime: calling } })
  scope.after(() => service.close())
  const { key } = await openAccount(service, { min_tier: 3 })
  return { service, key }
}

const cold = { ...hello, temperature: 0 }

test('tokens are the engine’s own, of the prompt and of the reply, streamed and whole', async () => {
  const { service, key } = await open()
  const whole = await chat(service, key, 'nova', cold)
  assert.equal(whole.status, 200, whole.text)
  const system = 'You are svc-nova-v1.'
  const prompt = countTinyTokens(renderTinyPrompt(system, 'Hello!'))
  const reply = countTinyTokens('<think>Hm.</think>Já ok!<|im_end|>')
  const usage = { prompt_tokens: prompt, completion_tokens: reply, total_tokens: prompt + reply }
  assert.deepEqual(whole.json.usage, usage)
  const streamed = await chat(service, key, 'nova', { ...cold, stream: true })
  const events = readEvents(streamed.text)
  assert.deepEqual(events.at(-1)?.usage, usage, 'what it remembers of the prompt counts as well')
})

test('nova’s thoughts come apart from the answer, and no piece of a character alone', async () => {
  const { service, key } = await open()
  const { json } = await chat(service, key, 'nova', cold)
  assert.equal(json.choices[0].message.reasoning_content, 'Hm.')
  assert.equal(json.choices[0].message.content, 'Já ok!')
  assert.equal(json.choices[0].finish_reason, 'stop')
  const streamed = await chat(service, key, 'nova', { ...cold, stream: true })
  const deltas = readEvents(streamed.text).map(({ choices }) => choices[0]?.delta)
  assert.deepEqual(
    deltas.flatMap((delta) => delta?.reasoning_content ?? []),
    ['H', 'm', '.'],
  )
  assert.deepEqual(
    deltas.flatMap((delta) => delta?.content ?? []).filter((text) => text !== ''),
    ['J', 'á', ' ', 'o', 'k', '!'],
  )
})

test('air shares the model and does not think: fewer tokens, and no trace', async () => {
  const { service, key } = await open()
  const { json } = await chat(service, key, 'air', cold)
  assert.equal(json.choices[0].message.content, 'Já ok!')
  assert.equal('reasoning_content' in json.choices[0].message, false)
  const thought = await chat(service, key, 'nova', cold)
  assert.ok(json.usage.completion_tokens < thought.json.usage.completion_tokens)
  assert.equal(listEngines().length, 2, 'one for each file')
})

test('max_tokens ends a reply with length, at exactly so many', async () => {
  const { service, key } = await open()
  const { json } = await chat(service, key, 'nova', { ...cold, max_tokens: 8 })
  assert.equal(json.choices[0].finish_reason, 'length')
  assert.equal(json.usage.completion_tokens, 8)
})

test('a tool is called whole, with arguments of its schema', async () => {
  const { service, key } = await open()
  const body = { ...cold, tools: [LOOK_UP] }
  const streamed = await chat(service, key, 'prime', { ...body, stream: true })
  const events = readEvents(streamed.text)
  const calls = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  assert.equal(calls.length, 1, streamed.text)
  const [called] = calls
  assert.equal(called?.function.name, 'look_up')
  assert.deepEqual(JSON.parse(called?.function.arguments ?? ''), { city: 'x', days: 3 })
  assert.equal(events.at(-1)?.choices[0]?.finish_reason, 'tool_calls')
  const { json } = await chat(service, key, 'prime', body)
  assert.equal(json.choices[0].finish_reason, 'tool_calls')
  assert.equal(json.choices[0].message.content, '')
  const assistant = { role: 'assistant', tool_calls: [{ ...called, index: undefined }] }
  const result = { role: 'tool', tool_call_id: called?.id, content: '{"degrees":21}' }
  const messages = [...hello.messages, assistant, result]
  const next = await chat(service, key, 'prime', { ...body, messages, max_tokens: 5 })
  assert.equal(next.status, 200, next.text)
  assert.ok(next.json.usage.prompt_tokens > json.usage.prompt_tokens)
})

test('several calls come one after the other, each of them whole', async (t) => {
  const upstream = makeTinyUpstream(t, { lines: CALLING_AGAIN })
  const service = await startService({ upstreams: [upstream] })
  t.after(() => service.close())
  const { key } = await openAccount(service, { min_tier: 3 })
  const body = { ...cold, tools: [LOOK_UP], max_tokens: 150 }
  const { json } = await chat(service, key, 'prime', body)
  const calls = json.choices[0].message.tool_calls ?? []
  assert.ok(calls.length >= 3, JSON.stringify(json))
  for (const call of calls) assert.equal(JSON.parse(call.function.arguments ?? '').city, 'x')
  assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length)
  assert.equal(json.choices[0].finish_reason, 'length')
  assert.equal(json.usage.completion_tokens, 150)
})

test('all of it adds up in the books', async () => {
  const { service } = await open()
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
})
