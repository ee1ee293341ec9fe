import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  ConnectionError,
  createClient,
  InsufficientBalanceError,
  InvalidKeyError,
  InvalidRequestError,
  LimitedError,
  RefusedError,
  runTools,
  UnavailableError,
  UnreachableError,
  type ChatRequest,
} from 'parley-client'
import { openAccount, openAccountWith, operate } from '../support/call.ts'
import { serveFor, serveWithUpstream, type Service } from '../support/service.ts'

const service = await serveFor({ after })

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello!' }] }

function clientOf({ origin }: Service, apiKey: string, changes: object = {}) {
  return createClient({ baseUrl: `${origin}/v1/`, apiKey, maxRetries: 0, ...changes })
}

async function lastReceipt(of: Service, accountId: string) {
  const receipts = await operate(of, 'GET', `/accounts/${accountId}/receipts`)
  return receipts.json.data[0]
}

test('a whole reply has its request id, which its receipt has too', async () => {
  const { accountId, key } = await openAccount(service)
  const reply = await clientOf(service, key).chat('air', hello)
  assert.match(reply.choices[0]?.message.content ?? '', /simulated/)
  assert.equal((await lastReceipt(service, accountId))?.request_id, reply.requestId)
})

test('a stream comes chunk by chunk, and ends with its usage', async () => {
  const { key } = await openAccount(service)
  const stream = await clientOf(service, key).stream('nova', hello)
  let [text, reasoning, total] = ['', '', 0]
  for await (const { choices, usage } of stream) {
    text += choices[0]?.delta.content ?? ''
    reasoning += choices[0]?.delta.reasoning_content ?? ''
    total = usage?.total_tokens ?? total
  }
  assert.match(text, /simulated/)
  assert.ok(reasoning.length > 0)
  assert.ok(total > 0)
  assert.match(stream.requestId, /^req_/)
})

test('a reply, a stream and a refusal tell what is left of the minute', async () => {
  const { key } = await openAccount(service)
  const client = clientOf(service, key)
  const reply = await client.chat('air', hello)
  const used = reply.usage.total_tokens
  assert.deepEqual(reply.limits, {
    requests: { limit: 10, remaining: 9, resetS: 60 },
    tokens: { limit: 10_000, remaining: 10_000 - used, resetS: 60 },
  })
  const stream = await client.stream('air', hello)
  assert.equal(stream.limits?.requests.remaining, 8)
  await Array.fromAsync(stream)
  const refusal = await client.chat('air', { messages: [] }).catch((error: unknown) => error)
  assert.ok(refusal instanceof RefusedError)
  assert.equal(refusal.limits?.requests.remaining, 7)
  const stranger = await clientOf(service, `${key}x`)
    .chat('air', hello)
    .catch((error: unknown) => error)
  assert.ok(stranger instanceof RefusedError)
  assert.equal(stranger.limits, undefined)
})

test('the models are listed', async () => {
  const { key } = await openAccount(service)
  const models = await clientOf(service, key).models()
  assert.deepEqual(
    models.map(({ endpoint }) => endpoint),
    ['/v1/chat/air', '/v1/chat/prime', '/v1/chat/nova'],
  )
})

test('each refusal is an error of its own, with code and request id', async () => {
  const { key } = await openAccount(service)
  const poor = await openAccountWith(service)
  const cases = [
    [clientOf(service, `${key}x`).chat('air', hello), InvalidKeyError, 'invalid_api_key'],
    [
      clientOf(service, poor.key).chat('air', hello),
      InsufficientBalanceError,
      'insufficient_balance',
    ],
    [clientOf(service, key).chat('air', { messages: [] }), InvalidRequestError, 'invalid_request'],
    [
      clientOf(service, key).chat('air', { ...hello, tools: [{ function: { name: 'now' } }] }),
      InvalidRequestError,
      'tools_unsupported',
    ],
  ] as const
  for (const [call, kind, code] of cases) {
    const error = await call.then(
      () => assert.fail(code),
      (refusal: unknown) => refusal,
    )
    assert.ok(error instanceof kind, code)
    assert.equal(error.code, code)
    assert.match(error.requestId ?? '', /^req_/)
  }
})

test('what is limited waits as long as the service asks, and no longer than its caller wants', async () => {
  const { key } = await openAccount(service)
  const client = clientOf(service, key, { maxRetries: 1, maxWaitS: 1 })
  for (let call = 0; call < 10; call += 1) await client.chat('air', hello)
  const error = await client.chat('air', hello).catch((refusal: unknown) => refusal)
  assert.ok(error instanceof LimitedError)
  assert.equal(error.code, 'rate_limit_rpm')
  assert.equal(error.retryAfter, 60)
})

test('what no minute has tokens for is not waited for; what this one has no more of, is', async (t) => {
  const hanging = { content: 'on and on', fault: { kind: 'hang', at: 'after-delta-1' } } as const
  const { service: slow } = await serveWithUpstream(t, hanging)
  const { key } = await openAccount(slow)
  const waits: number[] = []
  const client = clientOf(slow, key, {
    maxRetries: 1,
    onRetry(error: Error, waitMs: number) {
      waits.push(waitMs)
      throw error
    },
  })
  const long: ChatRequest = { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] }
  const never = await client.chat('air', long).catch((refusal: unknown) => refusal)
  assert.ok(never instanceof LimitedError)
  assert.match(never.message, /waiting will not help/)
  assert.deepEqual(waits, [])
  // Two of three fit into the minute for as long as they are under way.
  const leaving = new AbortController()
  const { signal } = leaving
  const half: ChatRequest = { ...hello, max_tokens: 4_096 }
  for (let opened = 0; opened < 2; opened += 1) await client.stream('air', half, { signal })
  const later = await client.chat('air', half).catch((refusal: unknown) => refusal)
  assert.ok(later instanceof LimitedError)
  assert.equal(later.code, 'rate_limit_tpm')
  assert.equal(waits.length, 1)
  leaving.abort()
})

test('429 and 502 are tried again, and other refusals are not', async () => {
  for (const [status, tries] of [
    [429, 3],
    [502, 3],
    [400, 1],
    [402, 1],
    [500, 1],
    [503, 1],
  ] as const) {
    let asked = 0
    const failing: typeof fetch = async () => {
      asked += 1
      const body = { error: { code: 'rate_limit_tpm', message: 'No.' } }
      return Response.json(body, { status, headers: { 'retry-after': '0' } })
    }
    const client = createClient({
      baseUrl: 'http://unused/v1',
      apiKey: 'k',
      fetch: failing,
      maxRetries: 2,
    })
    await assert.rejects(client.chat('air', hello), status >= 500 ? UnavailableError : RefusedError)
    assert.equal(asked, tries, String(status))
  }
})

test('a connection that was never made is tried again; aborted waits end at once', async () => {
  const { asked, options } = failWith('ECONNREFUSED')
  const once = createClient({ ...options, maxRetries: 1 })
  await assert.rejects(once.chat('air', hello), UnreachableError)
  assert.equal(asked(), 2)
  const controller = new AbortController()
  const call = createClient(options).chat('air', hello, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
})

test('an answer that was lost may have been paid: it is not asked for again', async () => {
  for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', undefined]) {
    const { asked, options } = failWith(code)
    const call = createClient(options).chat('air', hello)
    await assert.rejects(call, (error) => {
      return error instanceof ConnectionError && !(error instanceof UnreachableError)
    })
    assert.equal(asked(), 1, code)
  }
})

/** As `fetch` fails: in Node with a cause, in browsers without. */
function failWith(code: string | undefined) {
  let count = 0
  const failing: typeof fetch = async () => {
    count += 1
    throw new TypeError('fetch failed', { cause: code && Object.assign(new Error(code), { code }) })
  }
  return {
    asked: () => count,
    options: { baseUrl: 'http://unused/v1', apiKey: 'k', fetch: failing },
  }
}

test('a stream that breaks off is told, and is not asked for a second time', async (t) => {
  const { service: broken, upstream } = await serveWithUpstream(t, {
    content: 'one two three four',
    fault: { kind: 'reset', at: 'after-delta-2' },
  })
  const { key } = await openAccount(broken)
  const stream = await clientOf(broken, key, { maxRetries: 3 }).stream('air', hello)
  let text = ''
  let finish: string | null = null
  try {
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? ''
      finish = choices[0]?.finish_reason ?? finish
    }
    assert.equal(finish, 'error')
  } catch (error) {
    assert.ok(error instanceof ConnectionError)
  }
  assert.match(text, /^one/)
  assert.equal(upstream.requests.length, 1)
})

test('leaving a stream ends it at the service', async (t) => {
  const never = Promise.withResolvers<void>()
  const { service: slow } = await serveWithUpstream(t, {
    content: 'one two three four',
    pauses: [{ at: 'after-delta-2', until: never.promise }],
  })
  const { accountId, key } = await openAccount(slow)
  const stream = await clientOf(slow, key).stream('air', hello)
  for await (const { choices } of stream) if (choices[0]?.delta.content) break
  const until = performance.now() + 5_000
  let receipt = await lastReceipt(slow, accountId)
  while (!receipt && performance.now() < until) {
    await delay(20)
    receipt = await lastReceipt(slow, accountId)
  }
  assert.equal(receipt?.ended, 'client_left')
  never.resolve()
})

test('tools are run until the model answers, and one that fails is told to it', async (t) => {
  const { service: withTools, upstream } = await serveWithUpstream(t, [
    {
      toolCalls: [
        { name: 'weather', arguments: '{"city":"Porto"}' },
        { name: 'broken', arguments: '{}' },
      ],
    },
    { content: 'It is sunny in Porto.' },
  ])
  const { key } = await openAccount(withTools, { depositEur: '20.00' })
  const { reply, messages } = await runTools(clientOf(withTools, key), 'prime', {
    messages: [{ role: 'user', content: 'How is the weather?' }],
    tools: [
      { function: { name: 'weather' }, run: ({ city }) => ({ city, sky: 'clear' }) },
      {
        function: { name: 'broken' },
        run() {
          throw new Error('out of order')
        },
      },
    ],
  })
  assert.equal(reply.choices[0]?.message.content, 'It is sunny in Porto.')
  assert.equal(upstream.requests.length, 2)
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
  assert.deepEqual(results, ['{"city":"Porto","sky":"clear"}', '{"error":"out of order"}'])
  assert.equal(messages.length, 5)
})
