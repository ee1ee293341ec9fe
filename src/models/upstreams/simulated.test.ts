import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatePrompt } from '../estimate-prompt.ts'
import type { Message, Prompt, Tool } from '../prompt.ts'
import { createTokenCounter } from '../token-counter.ts'
import { createSimulatedUpstream } from './simulated.ts'
import type { ReplyEvent, UpstreamReply, UpstreamRequest } from './upstream.ts'

const plain = createSimulatedUpstream({ id: 'svc-prime-v1', reasoning: false })
const thinking = createSimulatedUpstream({ id: 'svc-nova-v1', reasoning: true })

const weather: Tool = {
  name: 'get_weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

function say(content: string, tools: readonly Tool[] = []): Prompt {
  return { messages: [{ role: 'user', content }], tools }
}

function requestOf(prompt: Prompt, maxTokens = 1_000): UpstreamRequest {
  return { prompt, maxTokens, temperature: undefined, streamed: true }
}

async function openReply(
  upstream: typeof plain,
  request: UpstreamRequest,
  signal = new AbortController().signal,
): Promise<UpstreamReply> {
  const opening = await upstream.open(request, signal)
  assert.ok(opening.kind === 'opened')
  return opening.reply
}

async function read(upstream: typeof plain, request: UpstreamRequest) {
  const reply = await openReply(upstream, request)
  const events: ReplyEvent[] = []
  const ends: unknown[] = []
  reply.read({
    onEvent: (event) => void events.push(event),
    onEnd: (failure) => void ends.push(failure),
  })
  assert.deepEqual(ends, [undefined], 'it ends once, and well')
  return events
}

function textOf(events: readonly ReplyEvent[], kind: 'content' | 'reasoning'): string {
  return events.map((event) => (event.kind === kind ? event.text : '')).join('')
}

function countAll(events: readonly ReplyEvent[]): number {
  const counter = createTokenCounter()
  for (const event of events) if ('text' in event) counter.add(event.text)
  return counter.tokens
}

function finishOf(events: readonly ReplyEvent[]): string | undefined {
  return events.flatMap((event) => (event.kind === 'finish' ? [event.reason] : []))[0]
}

test('it says what it is, and how to get a real model', async () => {
  const text = textOf(await read(plain, requestOf(say('Hello 👋'))), 'content')
  assert.match(text, /simulated model in the place of svc-prime-v1/)
  assert.match(text, /PARLEY_UPSTREAM_URL/)
  assert.match(text, /7 characters long/, 'it has counted characters, not code units')
})

test('the same request has the same answer', async () => {
  const request = requestOf(say('get_weather, please', [weather]))
  assert.deepEqual(await read(thinking, request), await read(thinking, request))
})

test('only a model that reasons shows reasoning, before all else', async () => {
  assert.equal(textOf(await read(plain, requestOf(say('Hello'))), 'reasoning'), '')
  const events = await read(thinking, requestOf(say('Hello')))
  assert.notEqual(textOf(events, 'reasoning'), '')
  const kinds = events.map(({ kind }) => kind)
  assert.ok(kinds.lastIndexOf('reasoning') < kinds.indexOf('content'))
})

test('it calls the tools that the last message names, in either spelling', async () => {
  const other: Tool = { name: 'list_files', description: '', parameters: undefined }
  for (const words of ['Call get_weather.', 'Get weather for me!', 'GET_WEATHER']) {
    const events = await read(plain, requestOf(say(words, [other, weather])))
    const calls = events.flatMap((event) => (event.kind === 'tool_call' ? [event.call] : []))
    assert.deepEqual(
      calls.map(({ name, arguments: args }) => ({ name, args })),
      [{ name: 'get_weather', args: '{"city":"example city"}' }],
    )
    assert.equal(finishOf(events), 'tool_calls')
    assert.equal(textOf(events, 'content'), '')
  }
  const both = await read(plain, requestOf(say('get_weather and list_files', [other, weather])))
  const ids = both.flatMap((event) => (event.kind === 'tool_call' ? [event.call.id] : []))
  assert.equal(new Set(ids).size, 2)
})

test('it calls nothing that nobody named, and nothing for the answer of a tool', async () => {
  const unnamed = await read(plain, requestOf(say('What is the time?', [weather])))
  assert.equal(finishOf(unnamed), 'stop')
  const messages: readonly Message[] = [
    { role: 'user', content: 'get_weather' },
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{}' }],
    },
    { role: 'tool', toolCallId: 'a', content: 'get_weather says: rain' },
  ]
  const answered = await read(plain, requestOf({ messages, tools: [weather] }))
  assert.equal(finishOf(answered), 'stop')
  assert.match(textOf(answered, 'content'), /result of your tool, 22 characters/)
})

test('it stops at max_tokens with length, and shows no call that is not whole', async () => {
  for (const upstream of [plain, thinking]) {
    for (const prompt of [say('Hello'), say('get_weather', [weather])]) {
      const whole = countAll(await read(upstream, requestOf(prompt)))
      for (const maxTokens of [1, 5, whole - 1]) {
        const events = await read(upstream, requestOf(prompt, maxTokens))
        assert.equal(finishOf(events), 'length')
        assert.ok(countAll(events) <= maxTokens)
        assert.ok(events.every(({ kind }) => kind !== 'tool_call'))
      }
      assert.notEqual(finishOf(await read(upstream, requestOf(prompt, whole))), 'length')
    }
  }
})

test('its usage is the estimate of the prompt and what it has said', async () => {
  const prompt = say('get_weather', [weather])
  const events = await read(thinking, requestOf(prompt))
  assert.deepEqual(events.at(-1), {
    kind: 'usage',
    usage: { promptTokens: estimatePrompt(prompt), completionTokens: countAll(events) },
  })
})

test('paused, it says nothing; resumed, it goes on where it was', async () => {
  const request = requestOf(say('Hello'))
  const reply = await openReply(plain, request)
  const events: ReplyEvent[] = []
  let ended = 0
  reply.read({
    onEvent(event) {
      events.push(event)
      reply.pause()
    },
    onEnd: () => void (ended += 1),
  })
  assert.equal(events.length, 1)
  const all = await read(plain, request)
  for (let count = 2; count <= all.length; count += 1) {
    assert.equal(ended, 0)
    reply.resume()
    assert.equal(events.length, count)
  }
  reply.resume()
  reply.resume()
  assert.deepEqual(events, all)
  assert.equal(ended, 1)
})

test('cancelled, it says nothing more, not even that it has ended', async () => {
  const client = new AbortController()
  const reply = await openReply(plain, requestOf(say('Hello')), client.signal)
  let heard = 0
  reply.read({
    onEvent() {
      heard += 1
      client.abort()
    },
    onEnd: () => assert.fail('it ended'),
  })
  reply.resume()
  assert.equal(heard, 1)
})
