import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createContract } from '#api/contract/index.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { sendBare } from '../support/bare-request.ts'
import {
  call,
  chat,
  hello,
  openAccount,
  openAccountWith,
  operate,
  type Answer,
  type CallOptions,
} from '../support/call.ts'
import { serveFor, serveWithUpstream } from '../support/service.ts'

const CALMEST = { failures: 1_000, windowMs: 1, coolDownMs: 1 }
const { service, upstream } = await serveWithUpstream({ after }, {}, { circuit: CALMEST })
const tool = { type: 'function', function: { name: 'look' } }
/** More than tier 1 has in a minute: air's whole output and some 15 000 words. */
const long = { messages: [{ role: 'user', content: 'word '.repeat(15_000) }] }

const RATE_LIMIT_HEADERS = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

function assertAuthenticated(answer: Answer): void {
  for (const name of RATE_LIMIT_HEADERS) assert.ok(answer.headers.get(name), `lacks ${name}`)
  assert.match(String(answer.headers.get('x-request-id')), /^req_[0-9a-f]{32}$/)
}

function assertUnauthenticated(answer: Answer): void {
  for (const name of RATE_LIMIT_HEADERS) assert.equal(answer.headers.get(name), null)
  assert.match(String(answer.headers.get('x-request-id')), /^req_[0-9a-f]{32}$/)
}

function post(brand: string, options: CallOptions): Promise<Answer> {
  return call(service, 'POST', `/v1/chat/${brand}`, options)
}

/** An account of tier 1 that has called so often that its next request is one too many. */
async function openExhausted() {
  const account = await openAccount(service)
  for (let count = 0; count < 10; count += 1) await chat(service, account.key, 'air', hello)
  return account
}

test('a body that fails validation is 400 invalid_request and names the field', async () => {
  const { key } = await openAccount(service)
  const answer = await chat(service, key, 'air', { messages: [], temperature: 9 })
  assert.match(assertRefused(answer, 'invalid_request'), /^messages: /)
  assertAuthenticated(answer)
})

test('tools sent to air are 400 tools_unsupported', async () => {
  const { key } = await openAccount(service)
  const answer = await chat(service, key, 'air', { ...hello, tools: [tool] })
  assertRefused(answer, 'tools_unsupported')
  assertAuthenticated(answer)
})

test('an exhausted balance is 402 insufficient_balance', async () => {
  const { key } = await openAccountWith(service)
  const answer = await chat(service, key, 'air', hello)
  assert.match(assertRefused(answer, 'insufficient_balance'), /max_tokens/)
  assertAuthenticated(answer)
})

for (const brand of ['zoom', 'AIR', 'air2', 'a'.repeat(3_000), '..%2Fair', '%20', 'completions']) {
  test(`the brand ${brand.slice(0, 20)} is 404 unknown_model`, async () => {
    const { key } = await openAccount(service)
    const answer = await chat(service, key, brand, hello)
    assertRefused(answer, 'unknown_model')
    assertAuthenticated(answer)
  })
}

test('requests beyond the tier are 429 rate_limit_rpm', async () => {
  const { key } = await openExhausted()
  const answer = await chat(service, key, 'air', hello)
  assertRefused(answer, 'rate_limit_rpm')
  assert.equal(answer.json.error.retry_after, 60)
  assertAuthenticated(answer)
})

test('tokens beyond the tier are 429 rate_limit_tpm', async () => {
  const { key } = await openAccount(service)
  const answer = await chat(service, key, 'air', long)
  assertRefused(answer, 'rate_limit_tpm')
  assertAuthenticated(answer)
})

test('a reached ceiling is 429 daily_spend_limit_reached until midnight UTC', async () => {
  const { key } = await openAccount(service, { daily_ceiling_eur: '0.00' })
  const answer = await chat(service, key, 'air', hello)
  assertRefused(answer, 'daily_spend_limit_reached')
  const untilMidnightS = 86_400 - ((service.clock.nowMs() / 1000) % 86_400)
  assert.equal(answer.json.error.retry_after, Math.ceil(untilMidnightS))
  assertAuthenticated(answer)
})

for (const streamed of [false, true]) {
  const kind = streamed ? 'stream' : 'reply'
  test(`a provider that fails before the ${kind} begins is 502 upstream_error`, async () => {
    const { key } = await openAccount(service)
    upstream.play({ fault: { kind: 'status', status: 500 } })
    const answer = await chat(service, key, 'air', { ...hello, stream: streamed })
    upstream.play({})
    assertRefused(answer, 'upstream_error')
    assertAuthenticated(answer)
  })

  test(`a brand that is switched off is 503 model_unavailable, not a ${kind}`, async () => {
    const { key, accountId } = await openAccount(service)
    await operate(service, 'PATCH', '/models/nova', { enabled: false })
    const answer = await chat(service, key, 'nova', { ...hello, stream: streamed })
    await operate(service, 'PATCH', '/models/nova', { enabled: true })
    assertRefused(answer, 'model_unavailable')
    assertAuthenticated(answer)
    const account = await operate(service, 'GET', `/accounts/${accountId}`)
    assert.equal(account.json.held_eur, '0.00')
    assert.equal(account.json.balance_eur, '1.00')
  })
}

test('a brand whose only circuit has opened is 503 model_unavailable until it cools down', async (t) => {
  const scripted = await serveWithUpstream(t, { fault: { kind: 'status', status: 500 } })
  const { key } = await openAccount(scripted.service)
  for (let count = 0; count < 5; count += 1) {
    assertRefused(await chat(scripted.service, key, 'air', hello), 'upstream_error')
  }
  assertRefused(await chat(scripted.service, key, 'air', hello), 'model_unavailable')
  assert.equal(scripted.upstream.requests.length, 5)
  scripted.upstream.play({})
  scripted.service.clock.advance(10_000)
  assert.equal((await chat(scripted.service, key, 'air', hello)).status, 200)
})

test('an address that leads nowhere is 404 not_found', async () => {
  for (const path of ['/v1', '/v1/', '/v1/chat', '/v1/chat/air/more', '/v1/model', '/v2/models']) {
    const answer = await call(service, 'GET', path)
    assertRefused(answer, 'not_found')
  }
  const { key } = await openAccount(service)
  assertRefused(await call(service, 'POST', '/v1/chat/completions/', { key }), 'not_found')
  assertRefused(await operate(service, 'GET', '/nothing'), 'not_found')
})

test('an address that cannot be read is 404 not_found like any other', async () => {
  const answer = await sendBare(service, { path: '/v1/chat/%zz' })
  assertRefused(answer, 'not_found')
  assert.match(String(answer.headers.get('x-request-id')), /^req_/)
  assert.match(String(answer.headers.get('link')), /rel="service-doc"/)
})

async function assertOtherMethodsRefused(methods: readonly string[]): Promise<void> {
  const { operations } = createContract('svc')
  for (const [path, known] of Map.groupBy(operations, (operation) => operation.path)) {
    const taken = known.map((operation) => operation.method.toUpperCase())
    if (taken.includes('GET')) taken.push('HEAD')
    const concrete = path.replaceAll(/\{\w+\}/g, 'air')
    for (const method of methods) {
      if (taken.includes(method)) continue
      const answer = await call(service, method, concrete)
      assertRefused(answer, 'method_not_allowed')
      const allowed = String(answer.headers.get('allow')).split(/\s*,\s*/)
      assert.deepEqual(allowed.toSorted(), taken.toSorted(), `${method} ${path}`)
    }
  }
}

test('a known address with another method is 405 and Allow says which it takes', async () => {
  await assertOtherMethodsRefused(['PUT', 'DELETE', 'GET', 'POST', 'PATCH', 'OPTIONS'])
})

test('so it is with a method that hardly anyone has heard of', async () => {
  await assertOtherMethodsRefused(['PROPFIND', 'REPORT', 'QUERY'])
})

test('a reference that another credit has is 409 conflict', async () => {
  const { accountId } = await openAccount(service)
  const credit = { kind: 'grant', amount_eur: '1', reference: 'errors' }
  await operate(service, 'POST', `/accounts/${accountId}/credits`, credit)
  const other = { ...credit, amount_eur: '2' }
  const answer = await operate(service, 'POST', `/accounts/${accountId}/credits`, other)
  assertRefused(answer, 'conflict')
})

test('the operator surface without its token is 401 invalid_operator_token', async () => {
  assertRefused(await call(service, 'GET', '/operator/v1/accounts'), 'invalid_operator_token')
})

test('an API key that is missing, malformed, mistyped or unknown is 401 invalid_api_key', async (t) => {
  const { key } = await openAccount(service)
  const { key: elsewhere } = await openAccount(await serveFor(t))
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
  const credentials = [
    undefined,
    '',
    key,
    'Bearer',
    'Bearer ',
    `Basic ${btoa(`x:${key}`)}`,
    `Bearer ${key} more`,
    `Bearer ${key}x`,
    `Bearer "${key}"`,
    `Bearer ${mistyped}`,
    `Bearer ${key.toLowerCase()}`,
    `Bearer ${key.replace('_live_', '_test_')}`,
    `Bearer ${'x'.repeat(8_000)}`,
    `Bearer ${elsewhere}`,
    `Bearer ${service.operatorToken}`,
  ]
  for (const authorization of credentials) {
    const headers = authorization === undefined ? {} : { authorization }
    for (const [method, path] of [
      ['POST', '/v1/chat/air'] as const,
      ['GET', '/v1/models'] as const,
    ]) {
      const body = method === 'POST' ? { body: hello } : {}
      const answer = await call(service, method, path, { headers, ...body })
      assertRefused(answer, 'invalid_api_key')
      assertUnauthenticated(answer)
    }
  }
})

test('a revoked key and the key of a suspended account are 401, and the latter says so', async () => {
  const revoked = await openAccount(service)
  assert.equal((await chat(service, revoked.key, 'air', hello)).status, 200)
  await operate(service, 'DELETE', `/accounts/${revoked.accountId}/keys/${revoked.keyId}`)
  const answer = await chat(service, revoked.key, 'air', hello)
  assertRefused(answer, 'invalid_api_key')
  assertUnauthenticated(answer)

  const suspended = await openAccount(service, { suspended: true })
  const refused = await chat(service, suspended.key, 'air', hello)
  assert.match(assertRefused(refused, 'invalid_api_key'), /suspended/)
  assertUnauthenticated(refused)
})

test('the scheme Bearer is read in any case', async () => {
  const { key } = await openAccount(service)
  for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
    const headers = { authorization: `${scheme} ${key}` }
    assert.equal((await post('air', { body: hello, headers })).status, 200)
  }
})

test("an API key does not open the operator's surface", async () => {
  const { key } = await openAccount(service)
  const answer = await call(service, 'GET', '/operator/v1/accounts', { key })
  assertRefused(answer, 'invalid_operator_token')
})

test('the key is checked before anything else', async () => {
  assertRefused(await post('zoom', { body: '{' }), 'invalid_api_key')
  assertRefused(await post('air', { key: 'svc_live_x', body: '{' }), 'invalid_api_key')
})

test('the request limit is checked before the model and the body', async () => {
  const { key } = await openExhausted()
  assertRefused(await post('zoom', { key, body: '{' }), 'rate_limit_rpm')
  assertRefused(await chat(service, key, 'air', { messages: 1 }), 'rate_limit_rpm')
})

test('the model is checked before the body', async () => {
  const { key } = await openAccount(service)
  assertRefused(await post('zoom', { key, body: '{' }), 'unknown_model')
  assertRefused(await chat(service, key, 'zoom', {}), 'unknown_model')
})

test('the body is checked before whether the model takes tools', async () => {
  const { key } = await openAccount(service)
  const wrong = { ...hello, tools: [tool], temperature: 3 }
  assertRefused(await chat(service, key, 'air', wrong), 'invalid_request')
  const unanswered = { role: 'tool', content: '', tool_call_id: 'call_1' }
  const history = { messages: [...hello.messages, unanswered], tools: [tool] }
  assertRefused(await chat(service, key, 'air', history), 'invalid_request')
})

test('whether the input fits is part of checking the body, so it comes before the tools', async () => {
  const { key } = await openAccount(service)
  const content = 'word '.repeat(40_000)
  const messages = Array.from({ length: 4 }, () => ({ role: 'user', content }))
  const answer = await chat(service, key, 'air', { messages, tools: [tool] })
  assert.match(assertRefused(answer, 'invalid_request'), /^messages: /)
})

test('whether the model takes tools is checked before the ceiling', async () => {
  const { key } = await openAccount(service, { daily_ceiling_eur: '0.00' })
  assertRefused(await chat(service, key, 'air', { ...hello, tools: [tool] }), 'tools_unsupported')
})

test('the ceiling is checked before the balance', async () => {
  const { accountId, key } = await openAccountWith(service)
  await operate(service, 'PATCH', `/accounts/${accountId}`, { daily_ceiling_eur: '0.00' })
  assertRefused(await chat(service, key, 'air', hello), 'daily_spend_limit_reached')
})

test('the balance is checked before the tokens', async () => {
  const { key } = await openAccountWith(service)
  assertRefused(await chat(service, key, 'air', long), 'insufficient_balance')
})

test('the tokens are checked before the provider is asked', async () => {
  const { key } = await openAccount(service)
  await operate(service, 'PATCH', '/models/air', { enabled: false })
  const answer = await chat(service, key, 'air', long)
  await operate(service, 'PATCH', '/models/air', { enabled: true })
  assertRefused(answer, 'rate_limit_tpm')
})

test("the request id is ours, whatever the caller's", async () => {
  const { key } = await openAccount(service)
  const headers = { 'x-request-id': 'mine' }
  const ids = []
  for (const brand of ['air', 'air', 'zoom']) {
    const answer = await post(brand, { key, body: hello, headers })
    ids.push(String(answer.headers.get('x-request-id')))
  }
  for (const id of ids) assert.match(id, /^req_[0-9a-f]{32}$/)
  assert.equal(new Set(ids).size, 3)
})
