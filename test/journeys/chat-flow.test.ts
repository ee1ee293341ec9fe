import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call, chat, hello, openAccount, operate, readEvents } from '../support/call.ts'
import type { Reply } from '../support/fake-upstream/index.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service, upstream } = await serveWithUpstream({ after })
const { accountId, key } = await openAccount(service, { min_tier: 3, depositEur: '1000' })

const PRICES = { air: [260, 3_100], prime: [1_800, 6_200], nova: [3_200, 9_500] } as const
type Brand = keyof typeof PRICES

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const question = { role: 'user', content: 'What is the weather in Lisbon and Porto?' }
const calls = [
  { id: 'call_1', name: 'get_weather', arguments: '{"city":"Lisbon"}' },
  { id: 'call_2', name: 'get_weather', arguments: '{"city":"Porto"}' },
]
const wireCalls = calls.map(({ id, ...named }) => ({ id, type: 'function', function: named }))

function ask(reply: Reply, brand: Brand, body: Readonly<Record<string, unknown>> = hello) {
  upstream.play(reply)
  return chat(service, key, brand, body)
}

async function stream(reply: Reply, brand: Brand, body: Readonly<Record<string, unknown>> = hello) {
  const { text } = await ask(reply, brand, { ...body, stream: true })
  return readEvents(text)
}

async function lastReceipt() {
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts?limit=1`)
  return json.data[0]
}

async function balanceNano(): Promise<bigint> {
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  return toNano(json.balance_eur)
}

/** Money is compared as the integers it is. */
function toNano(euros: string): bigint {
  const [whole = '', decimals = ''] = euros.split('.')
  return BigInt(whole + decimals.padEnd(9, '0'))
}

function sent() {
  return upstream.requests.at(-1)!.body
}

test('the model list is that of the contract', async () => {
  const { json } = await call(service, 'GET', '/v1/models', { key })
  const model = (brand: Brand, window: number, output: number, prices: readonly number[]) => ({
    id: `svc-${brand}-v1`,
    object: 'model',
    owned_by: 'svc',
    endpoint: `/v1/chat/${brand}`,
    context_window: window,
    max_output_tokens: output,
    reasoning: brand === 'nova',
    pricing_eur_per_1m: { inPerM: prices[0], outPerM: prices[1] },
  })
  assert.deepEqual(json, {
    object: 'list',
    data: [
      model('air', 131_072, 4_096, [0.26, 3.1]),
      model('prime', 262_144, 8_192, [1.8, 6.2]),
      model('nova', 262_144, 8_192, [3.2, 9.5]),
    ],
  })
})

test('a tool flow of three steps: asked, called, answered', async () => {
  const asking = { messages: [question], tools: [weather] }
  const first = await ask({ toolCalls: calls }, 'prime', asking)
  const [{ message, finish_reason: reason }] = first.json.choices
  assert.equal(reason, 'tool_calls')
  assert.deepEqual(message, { role: 'assistant', content: '', tool_calls: wireCalls })
  assert.deepEqual(sent().tools, [weather])

  const answers = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: `sun ${id}` }))
  const history = [question, message, ...answers]
  const second = await ask({ content: 'Sunny.' }, 'prime', { messages: history, tools: [weather] })
  assert.equal(second.json.choices[0].message.content, 'Sunny.')
  assert.equal(second.json.choices[0].finish_reason, 'stop')
  const [identity, asked, called, ...answered] = sent().messages!
  assert.deepEqual(identity, { role: 'system', content: 'You are svc-prime-v1.' })
  assert.deepEqual(asked, question)
  assert.deepEqual(called?.tool_calls, wireCalls)
  assert.deepEqual(answered, answers)
})

test("the service's own identity comes first, the caller's instructions after it", async () => {
  const own = { role: 'system', content: 'Speak like a pirate.' }
  for (const brand of ['air', 'nova'] as const) {
    await ask({}, brand, { messages: [own, question, { role: 'system', content: 'Be kind.' }] })
    assert.deepEqual(sent().messages, [
      { role: 'system', content: `You are svc-${brand}-v1.` },
      own,
      question,
      { role: 'system', content: 'Be kind.' },
    ])
    assert.equal(sent().model, 'fake-model')
  }
})

test("nova's reasoning comes apart from its answer", async () => {
  const reply = { reasoning: 'Let me think. ', content: 'Four.' }
  const { json } = await ask(reply, 'nova')
  assert.deepEqual(json.choices[0].message, {
    role: 'assistant',
    content: 'Four.',
    reasoning_content: 'Let me think. ',
  })
  const events = await stream(reply, 'nova')
  const deltas = events.map(({ choices }) => choices[0].delta)
  const reasoning = deltas.map((delta) => delta.reasoning_content ?? '').join('')
  const content = deltas.map((delta) => delta.content ?? '').join('')
  assert.deepEqual([reasoning, content], ['Let me think. ', 'Four.'])
  for (const delta of deltas) assert.ok(!('reasoning_content' in delta && 'content' in delta))
})

test('reasoning that a provider left in the text is taken out of it', async () => {
  const { json } = await ask({ content: '<think>Two and two.</think>\n\nFour.' }, 'nova')
  assert.equal(json.choices[0].message.content, 'Four.')
  assert.equal(json.choices[0].message.reasoning_content, 'Two and two.')
})

for (const brand of ['air', 'prime'] as const) {
  test(`${brand} never shows reasoning, and bills it as output all the same`, async () => {
    const usage = { promptTokens: 12, completionTokens: 50, reasoningTokens: 45 }
    const reply = { reasoning: 'Let me think.', content: 'Four.', usage }
    const whole = await ask(reply, brand)
    assert.deepEqual(whole.json.choices[0].message, { role: 'assistant', content: 'Four.' })
    assert.equal(whole.json.usage.completion_tokens, 50)
    const events = await stream(reply, brand)
    assert.equal(JSON.stringify(events).includes('reasoning'), false)
    assert.equal(JSON.stringify(events).includes('think'), false)
    assert.equal(events.at(-1).usage.completion_tokens, 50)
    const [input, output] = PRICES[brand]
    assert.equal(toNano((await lastReceipt()).cost_eur), BigInt(12 * input + 50 * output))
  })
}

test('air refuses tools, but not an empty list of them', async () => {
  assertRefused(await ask({}, 'air', { ...hello, tools: [weather] }), 'tools_unsupported')
  assert.equal((await ask({}, 'air', { ...hello, tools: [] })).status, 200)
  assert.equal('tools' in sent(), false)
  await ask({}, 'prime', { ...hello, tools: [] })
  assert.equal('tools' in sent(), false)
})

test('a history with tool calls passes on air', async () => {
  const asking = { role: 'assistant', content: 'One moment.', tool_calls: wireCalls }
  const answers = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '' }))
  const answer = await ask({ content: 'ok' }, 'air', { messages: [question, asking, ...answers] })
  assert.equal(answer.status, 200)
  assert.deepEqual(sent().messages?.slice(1), [question, asking, ...answers])
})

test('arguments left out of the history are sent as {}', async () => {
  const bare = { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'look' } }] }
  const answered = { role: 'tool', tool_call_id: 'a', content: 'seen' }
  await ask({}, 'prime', { messages: [question, bare, answered] })
  const [received] = sent().messages![2]!.tool_calls as [(typeof wireCalls)[number]]
  assert.deepEqual(received, {
    id: 'a',
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  })
})

test('a call without arguments comes as {}, whole and streamed', async () => {
  const reply = { toolCalls: [{ id: 'call_1', name: 'now', arguments: '' }] }
  const wire = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } }
  const { json } = await ask(reply, 'nova', { ...hello, tools: [weather] })
  assert.deepEqual(json.choices[0].message.tool_calls, [wire])
  const events = await stream(reply, 'nova', { ...hello, tools: [weather] })
  const [streamed] = events.flatMap(({ choices }) => choices[0].delta.tool_calls ?? [])
  assert.deepEqual(streamed, { index: 0, ...wire })
})

test('text beside tool calls is kept, and none is an empty text', async () => {
  const beside = await ask({ content: 'One moment.', toolCalls: calls }, 'prime')
  assert.equal(beside.json.choices[0].message.content, 'One moment.')
  const none = await ask({ toolCalls: calls }, 'prime')
  assert.equal(none.json.choices[0].message.content, '')
})

const finishReasons = [
  ['stop', {}, 'stop'],
  ['length', {}, 'length'],
  ['content_filter', {}, 'content_filter'],
  ['eos_token', {}, 'stop'],
  ['', {}, undefined],
  ['tool_calls', { toolCalls: calls }, 'tool_calls'],
  ['stop', { toolCalls: calls }, 'tool_calls'],
  ['function_call', { toolCalls: calls }, 'tool_calls'],
  ['length', { toolCalls: calls }, 'length'],
] as const

for (const [finish, reply, expected] of finishReasons) {
  const beside = 'toolCalls' in reply ? ' beside tool calls' : ''
  test(`a provider's finish "${finish}"${beside} is ${expected ?? 'no end at all'}`, async () => {
    const script = { content: 'ok', finish, ...reply }
    const whole = await ask(script, 'prime')
    const events = await stream(script, 'prime')
    if (expected === undefined) {
      assertRefused(whole, 'upstream_error')
      return assert.equal(events.at(-1).choices[0].finish_reason, 'error')
    }
    assert.equal(whole.json.choices[0].finish_reason, expected)
    assert.equal(events.at(-1).choices[0].finish_reason, expected)
  })
}

test('a stream begins with the role and ends with the reason and the usage; each call is whole', async () => {
  const reply = { reasoning: 'Hm, well. ', content: 'One moment, please.', toolCalls: calls }
  const { text } = await ask(reply, 'nova', { ...hello, stream: true })
  assert.ok(text.endsWith('\n\ndata: [DONE]\n\n'))
  const events = readEvents(text)
  const first = events[0]
  const last = events.at(-1)
  assert.deepEqual(first.choices[0], {
    index: 0,
    delta: { role: 'assistant' },
    finish_reason: null,
  })
  assert.deepEqual(last.choices, [{ index: 0, delta: {}, finish_reason: 'tool_calls' }])
  assert.deepEqual(Object.keys(last.usage), ['prompt_tokens', 'completion_tokens', 'total_tokens'])
  for (const event of events) {
    assert.equal(event.id, first.id)
    assert.equal(event.created, first.created)
    assert.equal(event.model, 'svc-nova-v1')
    assert.equal(event.object, 'chat.completion.chunk')
    if (event === last) continue
    assert.equal(event.choices[0].finish_reason, null)
    assert.equal('usage' in event, false)
  }
  for (const event of events.slice(1)) assert.equal('role' in event.choices[0].delta, false)
  const streamed = events.flatMap(({ choices }) => choices[0].delta.tool_calls ?? [])
  assert.deepEqual(
    streamed,
    wireCalls.map((wire, index) => ({ index, ...wire })),
  )
})

test('a reply is of this moment and has an id of its own, that of its request', async () => {
  const one = await ask({}, 'air')
  const other = await ask({}, 'air')
  assert.equal(one.json.created, Math.floor(service.clock.nowMs() / 1000))
  assert.notEqual(one.json.id, other.json.id)
  const { request_id: requestId } = await lastReceipt()
  assert.equal(requestId, other.headers.get('x-request-id'))
})

for (const brand of ['air', 'prime', 'nova'] as const) {
  for (const streamed of [false, true]) {
    test(`${brand} ${streamed ? 'streamed' : 'whole'}: the charge is usage times price, to the nano-euro`, async () => {
      const before = await balanceNano()
      const usage = { promptTokens: 12_347, completionTokens: 3_331 }
      const answer = await ask({ content: 'ok', usage }, brand, { ...hello, stream: streamed })
      const shown = streamed ? readEvents(answer.text).at(-1).usage : answer.json.usage
      assert.deepEqual(shown, {
        prompt_tokens: 12_347,
        completion_tokens: 3_331,
        total_tokens: 15_678,
      })
      const [input, output] = PRICES[brand]
      const cost = BigInt(12_347 * input + 3_331 * output)
      const receipt = await lastReceipt()
      assert.equal(toNano(receipt.cost_eur), cost)
      assert.equal(receipt.written_off_eur, '0.00')
      assert.equal(receipt.usage_source, 'upstream')
      assert.equal(before - (await balanceNano()), cost)
      service.clock.advance(60_000)
    })
  }
}

test('a provider that says zero is believed: the reply is free', async () => {
  const before = await balanceNano()
  const { json } = await ask({ content: 'ok', usage: 'zero' }, 'nova')
  assert.deepEqual(json.usage, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
  const receipt = await lastReceipt()
  assert.deepEqual([receipt.cost_eur, receipt.usage_source], ['0.00', 'upstream'])
  assert.equal(await balanceNano(), before)
})

test('where a provider says nothing of usage, tokens are counted and billed as counted', async () => {
  for (const streamed of [false, true]) {
    const reply: Reply = { content: 'One two three four five six seven eight.', usage: 'none' }
    const answer = await ask(reply, 'prime', { ...hello, stream: streamed })
    const usage = streamed ? readEvents(answer.text).at(-1).usage : answer.json.usage
    assert.ok(usage.completion_tokens >= 8 && usage.completion_tokens <= 12)
    assert.ok(usage.prompt_tokens >= 10 && usage.prompt_tokens <= 40)
    const receipt = await lastReceipt()
    assert.equal(receipt.usage_source, 'counted')
    assert.equal(receipt.completion_tokens, usage.completion_tokens)
    const cost = usage.prompt_tokens * 1_800 + usage.completion_tokens * 6_200
    assert.equal(toNano(receipt.cost_eur), BigInt(cost))
  }
})

test('no reply is billed for more tokens than it was allowed', async () => {
  const usage = { promptTokens: 10, completionTokens: 500 }
  const { json } = await ask({ content: 'ok', usage }, 'air', { ...hello, max_tokens: 7 })
  assert.equal(json.usage.completion_tokens, 7)
  assert.equal(json.choices[0].finish_reason, 'length')
  assert.equal(toNano((await lastReceipt()).cost_eur), BigInt(10 * 260 + 7 * 3_100))
})

test('a charge beyond the balance is cut at zero, and the rest is written off', async () => {
  const poor = await openAccount(service, { min_tier: 3 })
  const usage = { promptTokens: 200_000, completionTokens: 1 }
  for (let count = 0; count < 2; count += 1) {
    upstream.play({ content: 'ok', usage })
    assert.equal((await chat(service, poor.key, 'nova', { ...hello, max_tokens: 10 })).status, 200)
  }
  const path = `/accounts/${poor.accountId}`
  const { json: account } = await operate(service, 'GET', path)
  assert.equal(account.balance_eur, '0.00')
  const { json: receipts } = await operate(service, 'GET', `${path}/receipts`)
  const [second, first] = receipts.data
  assert.deepEqual([first!.cost_eur, first!.written_off_eur], ['0.6400095', '0.00'])
  assert.deepEqual([second.cost_eur, second.written_off_eur], ['0.3599905', '0.280019'])
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual(json.discrepancies, [])
})
