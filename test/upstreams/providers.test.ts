import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../support/call.ts'
import { contentOf, priceOfPrime } from './scene.ts'
import { PROVIDER_KEY, providerKinds, setProviderScene } from './provider-scene.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const USAGE = { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 }
const COST = priceOfPrime(30, 12)

/** What each is asked, in the words of its own documentation. */
const asked = {
  anthropic: {
    path: '/messages',
    key: ['x-api-key', PROVIDER_KEY],
    body: {
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 100,
      temperature: 0.5,
      stream: true,
      system: [
        { type: 'text', text: 'You are svc-prime-v1.' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hello!' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'Yes?' }] },
        { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      ],
    },
  },
  google: {
    path: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    key: ['x-goog-api-key', PROVIDER_KEY],
    body: {
      generationConfig: { maxOutputTokens: 100, temperature: 0.5 },
      systemInstruction: { parts: [{ text: 'You are svc-prime-v1.' }, { text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Hello!' }] },
        { role: 'model', parts: [{ text: 'Yes?' }] },
        { role: 'user', parts: [{ text: 'Go on.' }] },
      ],
    },
  },
  bedrock: {
    path: '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
    key: ['authorization', `Bearer ${PROVIDER_KEY}`],
    body: {
      inferenceConfig: { maxTokens: 100, temperature: 0.5 },
      system: [{ text: 'You are svc-prime-v1.' }, { text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ text: 'Hello!' }] },
        { role: 'assistant', content: [{ text: 'Yes?' }] },
        { role: 'user', content: [{ text: 'Go on.' }] },
      ],
    },
  },
} as const

type Wire = Readonly<Record<string, unknown>>

/** Who says what in a conversation as each is told it: the ids of calls and answers, or "text". */
function readTold(body: Wire): readonly (readonly [role: unknown, parts: readonly unknown[]])[] {
  const messages = (body['messages'] ?? body['contents']) as readonly Wire[]
  return messages.map(({ role, content, parts }) => [
    role === 'model' ? 'assistant' : role,
    ((content ?? parts) as readonly Wire[]).map((part) => readId(part) ?? 'text'),
  ])
}

function readId(part: Wire): unknown {
  const wrapped = part['functionCall'] ?? part['functionResponse'] ?? part['toolUse']
  const { id, toolUseId } = (wrapped ?? part['toolResult'] ?? {}) as Wire
  return id ?? toolUseId ?? part['id'] ?? part['tool_use_id']
}

for (const kind of providerKinds) {
  test(`${kind}: text, whole and streamed, asked in its own format and billed by its own count`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    provider.play({ events: recorded.text })
    const body = {
      messages: [
        { role: 'user', content: 'Hello!' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'system', content: 'Be brief.' },
        { role: 'assistant', content: '' },
        { role: 'user', content: 'Go on.' },
      ],
      max_tokens: 100,
      temperature: 0.5,
    }
    const whole = await scene.ask(body)
    assert.equal(whole.status, 200, JSON.stringify(whole.json))
    const [choice] = whole.json.choices
    assert.deepEqual(
      [choice.message.content, choice.finish_reason, whole.json.usage],
      ['Hello there', 'stop', USAGE],
    )
    const events = readEvents((await scene.stream(body)).text)
    assert.equal(contentOf(events), 'Hello there')
    assert.deepEqual(events.at(-1)?.usage, USAGE)
    assert.equal(events.at(-1)?.choices[0]?.finish_reason, 'stop')
    for (const receipt of await scene.receipts()) {
      assert.deepEqual(
        [receipt.usage_source, receipt.ended, receipt.cost_eur],
        ['upstream', 'completed', COST],
      )
    }
    const [sent] = provider.requests
    const expected = asked[kind]
    assert.equal(sent?.path, expected.path)
    assert.equal(sent.headers[expected.key[0]], expected.key[1])
    for (const [name, value] of Object.entries(expected.body)) {
      assert.deepEqual(sent.body[name], value, name)
    }
    assert.doesNotMatch(JSON.stringify(scene.service.logged), new RegExp(PROVIDER_KEY))
    assert.equal((await scene.verify()).json.ok, true)
  })

  test(`${kind}: reasoning is apart on nova and left out on prime, and billed alike`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    provider.play({ events: recorded.reasoning })
    const { message } = (await scene.ask({}, 'nova')).json.choices[0]
    assert.deepEqual([message.reasoning_content, message.content], ['Let me think.', 'Done'])
    const prime = (await scene.ask()).json
    assert.equal('reasoning_content' in prime.choices[0].message, false)
    assert.deepEqual([prime.choices[0].message.content, prime.usage], ['Done', USAGE])
  })

  test(`${kind}: tool calls arrive whole, and their answers go back together`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    provider.play({ events: recorded.toolCalls })
    const question = { role: 'user', content: 'How is it in Lisbon and Porto?' }
    const events = readEvents((await scene.stream({ messages: [question], tools: [weather] })).text)
    const calls = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    assert.equal(contentOf(events), 'Looking.')
    assert.deepEqual(
      calls.map((one) => [one.index, one.function.name, JSON.parse(one.function.arguments ?? '')]),
      [
        [0, 'get_weather', { city: 'Lisbon' }],
        [1, 'get_weather', { city: 'Porto' }],
      ],
    )
    assert.equal(events.at(-1)?.choices[0]?.finish_reason, 'tool_calls')

    provider.play({ events: recorded.text })
    const message = { role: 'assistant', content: 'Looking.', tool_calls: calls }
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '21 °C' }))
    const next = await scene.ask({ messages: [question, message, ...results], tools: [weather] })
    assert.equal(next.status, 200)
    const ids = calls.map(({ id }) => id)
    assert.deepEqual(readTold(provider.requests[1]?.body ?? {}), [
      ['user', ['text']],
      ['assistant', ['text', ...ids]],
      ['user', ids],
    ])
  })

  test(`${kind}: a reply that was cut off or filtered says so`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    for (const [events, reason] of [
      [recorded.length, 'length'],
      [recorded.filtered, 'content_filter'],
    ] as const) {
      provider.play({ events })
      const { choices, usage } = (await scene.ask()).json
      assert.deepEqual(
        [choices[0].message.content, choices[0].finish_reason, usage],
        ['Hello', reason, USAGE],
      )
    }
  })
}

test('google: a prompt that is refused outright is a filtered reply that costs its input', async (t) => {
  const { scene, provider } = await setProviderScene(t, 'google')
  const usageMetadata = { promptTokenCount: 30, totalTokenCount: 30 }
  const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' }
  provider.play({ events: [{ promptFeedback, usageMetadata, modelVersion: 'gemini-2.5-flash' }] })
  const { choices, usage } = (await scene.ask()).json
  assert.deepEqual([choices[0].finish_reason, choices[0].message.content], ['content_filter', ''])
  assert.deepEqual([usage.prompt_tokens, usage.completion_tokens], [30, 0])
})
