import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { lyingUsages, startFakeUpstream, type Dialect, type Reply } from './index.ts'
import { ask, readData, readDeltas, readEvents, type ReadReply } from './bare-client.ts'

async function askFor(t: TestContext, reply: Reply, body: object): Promise<ReadReply> {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play(reply)
  return ask(upstream.url, body)
}

const streamed = { stream: true, stream_options: { include_usage: true } }
const calls = [
  { name: 'look', arguments: '{"at":"the moon"}' },
  { name: 'wait', arguments: '{"for":"the sun"}' },
]

function readUsages(text: string): readonly unknown[] {
  return readEvents(text)
    .filter(({ choices }) => choices !== undefined)
    .map(({ usage }) => usage)
}

const reasoningFields: Readonly<Record<Dialect, string>> = {
  openai: 'reasoning_content',
  vllm: 'reasoning',
  'vllm-0.16': 'reasoning',
  'vllm-old': 'reasoning_content',
  sglang: 'reasoning_content',
  'llama.cpp': 'reasoning_content',
  ollama: 'reasoning',
  deepseek: 'reasoning_content',
  openrouter: 'reasoning',
}

for (const [dialect, field] of Object.entries(reasoningFields) as [Dialect, string][]) {
  test(`${dialect} sends reasoning as ${field}, before the content`, async (t) => {
    const reply = { dialect, reasoning: 'Let me see', content: 'Hello there' }
    const { text } = await askFor(t, reply, streamed)
    assert.equal(readDeltas(text, field).join(''), 'Let me see')
    assert.equal(readDeltas(text, 'content').join(''), 'Hello there')
    assert.ok(text.indexOf('see"') < text.indexOf('Hello'))
    const whole = await askFor(t, reply, {})
    assert.equal(JSON.parse(whole.text).choices[0].message[field], 'Let me see')
  })
}

test('openai and its like send usage in a chunk without choices, after the finish', async (t) => {
  for (const dialect of ['openai', 'vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
    const { text } = await askFor(t, { dialect }, streamed)
    const [finish, usage] = readEvents(text).slice(-3)
    assert.equal(finish?.choices?.[0]?.finish_reason, 'stop')
    assert.equal(finish?.usage ?? null, null)
    assert.deepEqual(usage?.choices, [])
    assert.deepEqual(usage?.usage, { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 })
    const unasked = await askFor(t, { dialect }, { stream: true })
    assert.doesNotMatch(unasked.text, /usage/, dialect)
  }
})

test('openrouter sends usage unasked', async (t) => {
  const { text } = await askFor(t, { dialect: 'openrouter' }, { stream: true })
  assert.deepEqual(readEvents(text).at(-2)?.choices, [])
  assert.notEqual(readEvents(text).at(-2)?.usage, undefined)
})

test('deepseek sends usage unasked, in the chunk with the finish', async (t) => {
  const { text } = await askFor(t, { dialect: 'deepseek', content: 'a b' }, { stream: true })
  const finish = readEvents(text).at(-2)
  assert.equal(finish?.choices?.[0]?.finish_reason, 'stop')
  assert.deepEqual(finish?.usage, { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 })
})

test('vllm counts usage in each chunk, where it is asked to', async (t) => {
  const stream_options = { include_usage: true, continuous_usage_stats: true }
  const body = { stream: true, stream_options }
  const usage = { promptTokens: 30, completionTokens: 7 }
  const { text } = await askFor(t, { dialect: 'vllm', content: 'a b c', usage }, body)
  const counts = readUsages(text).map(
    (seen) => (seen as Record<string, number>)['completion_tokens'],
  )
  assert.deepEqual(counts, [0, 1, 2, 3, 3, 7])
  const other = await askFor(t, { dialect: 'llama.cpp', content: 'a b c', usage }, body)
  assert.equal(readUsages(other.text).filter((seen) => seen !== undefined).length, 1)
})

test('usage can be left out, or an explicit zero', async (t) => {
  for (const dialect of ['openai', 'vllm', 'deepseek', 'openrouter'] as const) {
    const stream = await askFor(t, { dialect, usage: 'none' }, streamed)
    assert.doesNotMatch(stream.text, /usage/, dialect)
    const whole = await askFor(t, { dialect, usage: 'none' }, {})
    assert.doesNotMatch(whole.text, /usage/, dialect)
    const zero = await askFor(t, { dialect, usage: 'zero', content: 'a b' }, {})
    assert.equal(JSON.parse(zero.text).usage.completion_tokens, 0)
  }
})

test('usage figures are sent as they are given, lies included', async (t) => {
  for (const usage of Object.values(lyingUsages)) {
    const whole = await askFor(t, { usage }, {})
    const stream = await askFor(t, { usage }, streamed)
    for (const seen of [JSON.parse(whole.text).usage, readUsages(stream.text).at(-1)]) {
      assert.equal(seen.prompt_tokens, usage.promptTokens)
      assert.equal(seen.completion_tokens, usage.completionTokens)
    }
  }
  const usage = { promptTokens: 9, completionTokens: 4, reasoningTokens: 3, cachedTokens: 2 }
  assert.deepEqual(JSON.parse((await askFor(t, { usage }, {})).text).usage, {
    prompt_tokens: 9,
    completion_tokens: 4,
    total_tokens: 13,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 3 },
  })
})

type WireCall = Readonly<Record<string, unknown>>

async function streamCalls(t: TestContext, reply: Reply): Promise<readonly WireCall[]> {
  const { text } = await askFor(t, { toolCalls: calls, ...reply }, streamed)
  const finishes = readEvents(text).map(({ choices }) => choices?.[0]?.finish_reason ?? null)
  assert.ok(finishes.includes('tool_calls'))
  return readDeltas(text, 'tool_calls').flat() as WireCall[]
}

function joinArguments(entries: readonly WireCall[], index: number): string {
  return entries
    .filter((entry) => entry['index'] === index)
    .map((entry) => (entry['function'] as { arguments: string }).arguments)
    .join('')
}

test('openai opens each tool call and sends its arguments in fragments', async (t) => {
  const entries = await streamCalls(t, {})
  assert.deepEqual(
    entries.map((entry) => entry['index']),
    [0, 0, 0, 0, 1, 1, 1, 1],
  )
  assert.deepEqual(
    entries.flatMap((entry) => ('id' in entry ? [entry['id']] : [])),
    ['call_1', 'call_2'],
  )
  assert.equal(joinArguments(entries, 0), calls[0]!.arguments)
  assert.equal(joinArguments(entries, 1), calls[1]!.arguments)
})

test('tool calls can be interleaved by index', async (t) => {
  const entries = await streamCalls(t, { toolCallShape: 'interleaved' })
  assert.deepEqual(
    entries.map((entry) => entry['index']),
    [0, 1, 0, 1, 0, 1, 0, 1],
  )
  assert.equal(joinArguments(entries, 1), calls[1]!.arguments)
})

test('fragments can be given as they are to be split', async (t) => {
  const toolCalls = [{ name: 'f', arguments: '{}', fragments: ['{', '}'] }]
  const entries = await streamCalls(t, { toolCalls })
  assert.equal(entries.length, 3)
})

test('sglang names no id for calls after the first, and nulls on fragments', async (t) => {
  const entries = await streamCalls(t, { dialect: 'sglang' })
  const opened = entries.filter((entry) => (entry['function'] as WireCall)['name'] !== null)
  assert.equal(opened[0]!['id'], 'call_1')
  assert.ok(!('id' in opened[1]!))
  assert.equal(entries[1]!['id'], null)
})

test('ollama sends each call whole, without an id, all with index 0', async (t) => {
  const entries = await streamCalls(t, { dialect: 'ollama' })
  assert.deepEqual(
    entries,
    calls.map((call) => ({ index: 0, type: 'function', function: call })),
  )
})

test("a call's own id is sent by every dialect, and null leaves it out", async (t) => {
  const toolCalls = [{ ...calls[0]!, id: 'mine' }]
  assert.equal((await streamCalls(t, { dialect: 'ollama', toolCalls }))[0]!['id'], 'mine')
  const unnamed = [{ ...calls[0]!, id: null }]
  assert.ok(!('id' in (await streamCalls(t, { toolCalls: unnamed }))[0]!))
})

test('a whole reply has whole tool calls', async (t) => {
  const { text } = await askFor(t, { toolCalls: calls }, {})
  const choice = JSON.parse(text).choices[0]
  assert.equal(choice.finish_reason, 'tool_calls')
  assert.equal(choice.message.content, null)
  assert.deepEqual(choice.message.tool_calls[1], {
    id: 'call_2',
    type: 'function',
    function: calls[1],
  })
})

test('the finish can be any text', async (t) => {
  const { text } = await askFor(t, { finish: 'because' }, {})
  assert.equal(JSON.parse(text).choices[0].finish_reason, 'because')
  const stream = await askFor(t, { finish: 'because', toolCalls: calls }, { stream: true })
  assert.equal(readEvents(stream.text).at(-2)?.choices?.[0]?.finish_reason, 'because')
})

test('openrouter keeps alive by a comment and details its reasoning', async (t) => {
  const reply = { dialect: 'openrouter', reasoning: 'hm', content: 'Hi' } as const
  const { text } = await askFor(t, reply, streamed)
  assert.ok(text.startsWith(': OPENROUTER PROCESSING\n\n'))
  assert.deepEqual(readDeltas(text, 'reasoning_details').flat(), [
    { type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 },
  ])
  assert.equal(readData(text).at(-1), '[DONE]')
})

test('deepseek refuses a turn with tool calls that forgets its reasoning', async (t) => {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play({ dialect: 'deepseek' })
  const turn = { role: 'assistant', content: '', tool_calls: [{ id: 'call_1' }] }
  const refused = await ask(upstream.url, { messages: [turn] })
  assert.equal(refused.status, 400)
  assert.match(JSON.parse(refused.text).error.message, /reasoning_content.*must be passed back/)
  const taken = await ask(upstream.url, { messages: [{ ...turn, reasoning_content: 'hm' }] })
  assert.equal(taken.status, 200)
  const off = await ask(upstream.url, { messages: [turn], thinking: { type: 'disabled' } })
  assert.equal(off.status, 200)
})

test('each dialect says in its own words that a prompt is too long', async (t) => {
  const fault = { kind: 'context-overflow', promptTokens: 9000, contextTokens: 8192 } as const
  const says: Readonly<Record<Dialect, RegExp>> = {
    openai: /maximum context length is 8192 tokens.*"code":"context_length_exceeded"/,
    vllm: /"error":{"message":"This model's maximum context length is 8192 tokens.*9000/,
    'vllm-0.16': /You passed 9000 input tokens.*context length is only 8192 tokens/,
    'vllm-old': /^{"object":"error","message":"This model's maximum context length is 8192/,
    sglang: /The input \(9000 tokens\) is longer than the model's context length \(8192 tokens\)/,
    'llama.cpp': /"type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192/,
    ollama: /prompt too long; exceeded max context length by 808 tokens/,
    deepseek: /maximum context length is 8192 tokens.*"code":"invalid_request_error"/,
    openrouter: /This endpoint's maximum context length is 8192 tokens/,
  }
  for (const [dialect, words] of Object.entries(says) as [Dialect, RegExp][]) {
    const { status, text } = await askFor(t, { dialect, fault }, streamed)
    assert.equal(status, 400)
    assert.match(text, words)
  }
})
