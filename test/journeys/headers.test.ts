import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call, chat, hello, openAccount, openAccountWith, operate } from '../support/call.ts'
import { readRateLimits } from '../support/read-rate-limits.ts'
import { serveWithUpstream } from '../support/service.ts'

const CALMEST = { failures: 1_000, windowMs: 1, coolDownMs: 1 }
const usage = { promptTokens: 20, completionTokens: 5 }
const { service, upstream } = await serveWithUpstream(
  { after },
  { content: 'Hello there', usage },
  { circuit: CALMEST },
)
const { clock } = service
const small = { ...hello, max_tokens: 100 }

function nowS(): number {
  return Math.ceil(clock.nowMs() / 1000)
}

test('the first reply of an account tells the whole tier, less itself', async () => {
  const { key } = await openAccount(service)
  const answer = await chat(service, key, 'air', small)
  assert.deepEqual(readRateLimits(answer), {
    requests: { quota: 10, windowS: 60, left: 9, untilResetS: 60 },
    tokens: { quota: 10_000, windowS: 60, left: 10_000 - 25, untilResetS: 60 },
    limit: 10,
    remaining: 9,
    resetS: nowS() + 60,
  })
})

test('the header fields are written just as the decision says', async () => {
  const { key } = await openAccount(service)
  const { headers } = await chat(service, key, 'air', small)
  assert.equal(
    headers.get('ratelimit-policy'),
    '"requests";q=10;w=60;qu="requests", "tokens";q=10000;w=60;qu="tokens"',
  )
  assert.equal(headers.get('ratelimit'), '"requests";r=9;t=60, "tokens";r=9975;t=60')
})

for (const [tier, requests, tokens] of [
  [2, 100, 200_000],
  [3, 500, 1_000_000],
] as const) {
  test(`the quotas of tier ${tier} are ${requests} requests and ${tokens} tokens`, async () => {
    const { key } = await openAccount(service, { min_tier: tier })
    const limits = readRateLimits(await chat(service, key, 'air', small))
    assert.equal(limits.requests.quota, requests)
    assert.equal(limits.limit, requests)
    assert.equal(limits.remaining, requests - 1)
    assert.equal(limits.tokens.quota, tokens)
    assert.equal(limits.tokens.left, tokens - 25)
  })
}

test('a JSON reply tells what is left after reconciling, a stream before it', async () => {
  const { key } = await openAccount(service)
  const streamed = await chat(service, key, 'air', { ...small, stream: true })
  const during = readRateLimits(streamed)
  const reserved = 10_000 - during.tokens.left
  assert.ok(reserved > 100, 'the reservation is max_tokens and an estimate of the input')
  assert.ok(reserved < 150, `a short input is no ${reserved - 100} tokens`)
  assert.equal(during.requests.left, 9)
  const whole = readRateLimits(await chat(service, key, 'air', small))
  assert.equal(whole.tokens.left, 10_000 - 2 * 25)
  assert.equal(whole.requests.left, 8)
})

test('a refusal gives back what the request had reserved', async () => {
  const { key } = await openAccount(service)
  upstream.play({ fault: { kind: 'status', status: 500 } })
  for (const stream of [false, true]) {
    const answer = await chat(service, key, 'air', { ...small, stream })
    assertRefused(answer, 'upstream_error')
    assert.equal(readRateLimits(answer).tokens.left, 10_000)
  }
  upstream.play({ content: 'Hello there', usage })
})

test('while a request is under way, others see its reservation', async () => {
  const { key } = await openAccount(service)
  const gate = Promise.withResolvers<void>()
  const arrived = upstream.request(upstream.requests.length)
  upstream.play([{ pauses: [{ at: 'before-head', until: gate.promise }], usage }, { usage }])
  const first = chat(service, key, 'air', { ...hello, max_tokens: 4_000 })
  await arrived
  const second = readRateLimits(await chat(service, key, 'air', small))
  assert.ok(second.tokens.left < 6_000 - 25)
  assert.ok(second.tokens.left > 5_900 - 25)
  gate.resolve()
  assert.equal(readRateLimits(await first).tokens.left, 10_000 - 2 * 25)
  upstream.play({ content: 'Hello there', usage })
})

test('every status of an authenticated request carries the limits, and each request counts', async () => {
  const { accountId, key } = await openAccount(service)
  const path = `/accounts/${accountId}`
  const long = { messages: [{ role: 'user', content: 'word '.repeat(15_000) }] }
  const seen: number[] = []
  async function ask(brand: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await chat(service, key, brand, body)
    const limits = readRateLimits(answer)
    seen.push(answer.status)
    assert.equal(limits.remaining, 10 - seen.length)
    assert.equal(limits.requests.left, limits.remaining)
    assert.equal(limits.resetS, nowS() + 60)
  }
  await ask('air', small)
  await ask('air', {})
  await ask('air', { ...hello, tools: [{ function: { name: 'look' } }] })
  await ask('zoom', hello)
  await ask('air', long)
  await operate(service, 'PATCH', path, { daily_ceiling_eur: '0.00' })
  await ask('air', small)
  await operate(service, 'PATCH', path, { daily_ceiling_eur: null })
  upstream.play({ fault: { kind: 'status', status: 500 } })
  await ask('air', small)
  upstream.play({ content: 'Hello there', usage })
  await operate(service, 'PATCH', '/models/air', { enabled: false })
  await ask('air', small)
  await operate(service, 'PATCH', '/models/air', { enabled: true })
  await ask('air', { ...small, stream: true })
  assert.deepEqual(seen, [200, 400, 400, 404, 429, 429, 502, 503, 200])
  const poor = await openAccountWith(service)
  const answer = await chat(service, poor.key, 'air', small)
  assert.equal(answer.status, 402)
  assert.equal(readRateLimits(answer).remaining, 9)
})

test('beyond the limit nothing is left, and nothing is below zero', async () => {
  const { key } = await openAccount(service)
  for (let count = 0; count < 10; count += 1) await chat(service, key, 'zoom', {})
  for (let count = 0; count < 3; count += 1) {
    const answer = await chat(service, key, 'air', small)
    assertRefused(answer, 'rate_limit_rpm')
    assert.equal(readRateLimits(answer).remaining, 0)
    assert.equal(readRateLimits(answer).requests.left, 0)
  }
})

test('a window lasts 60 s from its first request; the seconds count down to it, never to 0', async () => {
  const { key } = await openAccount(service)
  const startMs = clock.nowMs()
  const limits = async () => readRateLimits(await chat(service, key, 'air', small))
  const untilReset: number[] = []
  for (const atMs of [0, 1, 999, 1_000, 30_500, 59_000, 59_001, 59_999]) {
    clock.set(startMs + atMs)
    const { requests, tokens, resetS } = await limits()
    untilReset.push(requests.untilResetS)
    assert.equal(tokens.untilResetS, requests.untilResetS)
    assert.equal(resetS, Math.ceil(startMs / 1000) + 60)
  }
  assert.deepEqual(untilReset, [60, 60, 60, 59, 30, 1, 1, 1])
  assert.equal((await limits()).remaining, 1)
  clock.set(startMs + 60_000)
  const next = await limits()
  assert.equal(next.remaining, 9)
  assert.equal(next.tokens.left, 10_000 - 25)
  assert.equal(next.requests.untilResetS, 60)
  assert.equal(next.resetS, Math.ceil(startMs / 1000) + 120)
})

test('the next window starts at its first request, not where the last one ended', async () => {
  const { key } = await openAccount(service)
  await chat(service, key, 'air', small)
  clock.advance(95_000)
  const limits = readRateLimits(await chat(service, key, 'air', small))
  assert.equal(limits.requests.untilResetS, 60)
  assert.equal(limits.resetS, nowS() + 60)
})

test('X-RateLimit-Reset is never before the reset, whatever the fraction of a second', async () => {
  const { key } = await openAccount(service)
  clock.set(Math.floor(clock.nowMs() / 1000) * 1000 + 1_001)
  const { resetS } = readRateLimits(await chat(service, key, 'air', small))
  assert.equal(resetS, Math.ceil((clock.nowMs() + 60_000) / 1000))
  assert.ok(resetS * 1000 >= clock.nowMs() + 60_000)
})

test('Retry-After of a full window is the time that is left of it', async () => {
  const { key } = await openAccount(service)
  for (let count = 0; count < 10; count += 1) await chat(service, key, 'zoom', {})
  clock.advance(45_500)
  const answer = await chat(service, key, 'air', small)
  assertRefused(answer, 'rate_limit_rpm')
  assert.equal(answer.json.error.retry_after, 15)
  assert.equal(readRateLimits(answer).requests.untilResetS, 15)
  clock.advance(15_000)
  assert.equal((await chat(service, key, 'air', small)).status, 200)
})

test('everything under /v1 points to the version policy, and nothing is deprecated', async () => {
  const { key } = await openAccount(service)
  const answers = [
    await chat(service, key, 'air', small),
    await chat(service, key, 'air', { ...small, stream: true }),
    await chat(service, key, 'air', {}),
    await chat(service, 'none', 'air', small),
    await chat(service, key, 'zoom', small),
    await call(service, 'GET', '/v1/models', { key }),
    await call(service, 'GET', '/v1/models'),
    await call(service, 'HEAD', '/v1/models', { key }),
    await call(service, 'GET', '/v1/openapi.json'),
    await call(service, 'PUT', '/v1/chat/air'),
    await call(service, 'GET', '/v1/nothing'),
  ]
  for (const { headers, status } of answers) {
    assert.match(String(headers.get('link')), /^<https?:\/\/[^>]+>; rel="service-doc"$/)
    assert.match(String(headers.get('x-request-id')), /^req_/, `status ${status}`)
    for (const name of ['deprecation', 'sunset']) assert.equal(headers.get(name), null)
  }
})

test('the model list needs a key and the document needs none; neither is limited', async () => {
  const { key } = await openAccount(service)
  for (let count = 0; count < 12; count += 1) {
    const list = await call(service, 'GET', '/v1/models', { key })
    assert.equal(list.status, 200)
    for (const name of list.headers.keys()) assert.doesNotMatch(name, /ratelimit/)
  }
  assert.equal(readRateLimits(await chat(service, key, 'air', small)).remaining, 9)
  assertRefused(await call(service, 'GET', '/v1/models'), 'invalid_api_key')
  const document = await call(service, 'GET', '/v1/openapi.json')
  assert.equal(document.status, 200)
  for (const name of document.headers.keys()) assert.doesNotMatch(name, /ratelimit/)
  assert.equal(JSON.parse(document.text).openapi, '3.1.0')
})

test('a stream says what it is, and asks those between not to hold it back', async () => {
  const { key } = await openAccount(service)
  const headers = { 'accept-encoding': 'gzip, br' }
  const answer = await call(service, 'POST', '/v1/chat/air', {
    key,
    headers,
    body: { ...small, stream: true },
  })
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-cache, no-transform')
  assert.equal(answer.headers.get('x-accel-buffering'), 'no')
  assert.equal(answer.headers.get('content-encoding'), null)
  assert.equal(answer.headers.get('content-length'), null)
})
