import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { SpanStatusCode } from '@opentelemetry/api'
import { startChildService } from '../support/child-service.ts'
import { startFakeUpstream, type Script } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { awaitValue } from '../upstreams/scene.ts'
import { startCollector, type SentSpan } from './start-collector.ts'

const scope = { after }
const traces = pathToFileURL(join(import.meta.dirname, '../../deploy/traces.ts')).href
const SECRET_WORDS = 'the-cat-sat-on-the-mat'
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

async function startUpstream(script: Script) {
  const upstream = await startFakeUpstream()
  upstream.play(script)
  after(() => upstream.close())
  return upstream
}

const failing = await startUpstream({ fault: { kind: 'status', status: 500 } })
const good = await startUpstream({ content: 'one two three' })
const breaking = await startUpstream({
  content: 'one two three',
  fault: { kind: 'cut', at: 'after-delta-2' },
})
const dataDir = makeTemporaryDirectory(scope)
const describe = (name: string, { url }: { readonly url: string }): string =>
  `{ name: ${name}, kind: openai, url: '${url}', model: fake-model }`
writeFileSync(
  join(dataDir, 'parley.yaml'),
  `models:
  air: { upstreams: [${describe('good', good)}] }
  prime: { upstreams: [${describe('failing', failing)}, ${describe('good', good)}] }
  nova: { upstreams: [${describe('varied', breaking)}] }
`,
)
const collector = await startCollector(scope)
const service = await startChildService({
  dataDir,
  env: {
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--import ${traces}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  },
})
after(() => service.child.kill())
const account = await service.openAccount('ada')
const barred = await service.openAccount('eve')
await service.operate('PATCH', `/accounts/${barred.accountId}`, { daily_ceiling_eur: '0.00' })

interface Asked {
  readonly brand: string
  readonly stream?: boolean
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

function ask({ brand, stream = false, key = account.key, headers = {}, signal }: Asked) {
  return fetch(`${service.origin}/v1/chat/${brand}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ messages: [{ role: 'user', content: SECRET_WORDS }], stream }),
    ...(signal && { signal }),
  })
}

/** The id and the status of a request whose answer was read to its end. */
async function play(asked: Asked) {
  const reply = await ask(asked)
  await reply.text()
  return { id: reply.headers.get('x-request-id') ?? '', status: reply.status }
}

const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-00`
const continued = { traceparent, tracestate: 'vendor=abc', baggage: 'who=the-caller-s-own-text' }
const whole = await play({ brand: 'air', headers: continued })
const failedOver = await play({ brand: 'prime', stream: true })
const malformed = await play({ brand: 'air', headers: { traceparent: `00-${'x'.repeat(32)}-1-1` } })
const stranger = await play({ brand: 'air', key: 'svc_live_wrong' })
const refused = await play({ brand: 'air', key: barred.key })
const unknown = await play({ brand: SECRET_WORDS })
const brokenOff = await play({ brand: 'nova', stream: true })
breaking.play({ fault: { kind: 'status', status: 503 } })
const failed = await play({ brand: 'nova' })
const left = await leaveMidStream()
// Where people sign in is a library that has spans of its own.
await fetch(`${service.origin}/api/auth/sign-in/email`, {
  method: 'POST',
  headers: { origin: service.origin, 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'ada@example.com', password: SECRET_WORDS }),
}).then((reply) => assert.equal(reply.status, 401))

// The last spans go out when the service has ended.
service.child.process.kill('SIGTERM')
assert.equal(await service.child.ended, 0, service.child.stderr)

async function leaveMidStream() {
  const until = new Promise<never>(() => {})
  good.play({ content: 'one two three', pauses: [{ at: 'after-delta-2', until }] })
  const client = new AbortController()
  const seen = good.requests.length
  const reply = await ask({ brand: 'air', stream: true, signal: client.signal })
  client.abort()
  await (
    await good.request(seen)
  ).aborted
  await awaitValue(
    () => service.operate<{ held_eur: string }>('GET', `/accounts/${account.accountId}`),
    ({ held_eur }) => held_eur === '0.00',
  )
  return { id: reply.headers.get('x-request-id') ?? '', status: reply.status }
}

/** The spans of a request: its own, and those directly below it in the order in which they began. */
function spansOf({ id }: { readonly id: string }) {
  const own = collector.spans.filter((span) => span.attributes['parley.request_id'] === id)
  assert.equal(own.length, 1, `${id} has ${own.length} spans`)
  const [request] = own as [SentSpan]
  const below = collector.spans
    .filter(({ parentSpanId }) => parentSpanId === request.spanId)
    .toSorted((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1))
  for (const span of below) assert.equal(span.traceId, request.traceId)
  return { request, below, names: below.map(({ name }) => name) }
}

const contains = (all: SentSpan, expected: Readonly<Record<string, unknown>>): void => {
  const found = Object.keys(expected).map((name) => [name, all.attributes[name]])
  assert.deepEqual(Object.fromEntries(found), expected, all.name)
}

test('a reply has a span for the request, and below it one each for gate, upstream and charge', () => {
  const { request, below, names } = spansOf(whole)
  assert.equal(whole.status, 200)
  assert.equal(request.name, 'POST /v1/chat/:brand')
  assert.equal(request.kind, 'server')
  assert.equal(request.status.code, SpanStatusCode.UNSET)
  contains(request, {
    'http.request.method': 'POST',
    'http.route': '/v1/chat/:brand',
    'http.response.status_code': 200,
    'parley.brand': 'air',
    'parley.ended': 'completed',
    'gen_ai.response.finish_reasons': ['stop'],
  })
  assert.deepEqual(names, ['gate admit', 'chat svc-air-v1', 'ledger charge'])
  const [gate, call, charge] = below as [SentSpan, SentSpan, SentSpan]
  contains(gate, { 'parley.admission': 'admitted' })
  contains(charge, { 'parley.charging': 'booked' })
  assert.equal(call.kind, 'client')
  contains(call, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'svc-air-v1',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': request.attributes['gen_ai.usage.input_tokens'],
    'gen_ai.usage.output_tokens': request.attributes['gen_ai.usage.output_tokens'],
    'parley.upstream': 'good',
  })
  assert.ok(Number(call.attributes['gen_ai.usage.output_tokens']) > 0)
  assert.equal(typeof call.attributes['gen_ai.response.time_to_first_chunk'], 'number')
  for (const { startTimeUnixNano, endTimeUnixNano } of below) {
    assert.ok(BigInt(startTimeUnixNano) >= BigInt(request.startTimeUnixNano))
    assert.ok(BigInt(endTimeUnixNano) <= BigInt(request.endTimeUnixNano))
  }
})

test('a caller’s trace is continued and told to the upstream, and nothing else of the caller’s is', () => {
  const { request, below } = spansOf(whole)
  assert.equal(request.traceId, CALLER.traceId)
  assert.equal(request.parentSpanId, CALLER.spanId)
  const call = below.find(({ kind }) => kind === 'client')
  const { headers } = good.requests[0] ?? {}
  assert.equal(headers?.['traceparent'], `00-${CALLER.traceId}-${call?.spanId}-01`)
  assert.equal(headers['tracestate'], 'vendor=abc')
  assert.equal(headers['baggage'], undefined)
})

test('a trace that is none is not continued', () => {
  const { request } = spansOf(malformed)
  assert.equal(malformed.status, 200)
  assert.ok(!request.parentSpanId)
  assert.match(request.traceId, /^[0-9a-f]{32}$/)
})

test('each upstream that is tried has a span of its own, with why it failed', () => {
  const { request, below, names } = spansOf(failedOver)
  assert.deepEqual(names, ['gate admit', 'chat svc-prime-v1', 'chat svc-prime-v1', 'ledger charge'])
  const [, first, second] = below as [SentSpan, SentSpan, SentSpan]
  contains(first, { 'parley.upstream': 'failing', 'error.type': 'overloaded' })
  assert.equal(first.status.code, SpanStatusCode.ERROR)
  contains(second, { 'parley.upstream': 'good', 'gen_ai.request.stream': true })
  assert.equal(second.status.code, SpanStatusCode.UNSET)
  assert.equal(request.status.code, SpanStatusCode.UNSET)
  assert.ok(Number(request.attributes['gen_ai.response.time_to_first_chunk']) >= 0)
  const told = failing.requests[0]?.headers['traceparent']
  assert.equal(told, `00-${request.traceId}-${first.spanId}-01`)
})

test('a request that is refused ends at the gate, or before it, and says by which code', () => {
  const { request, below, names } = spansOf(refused)
  assert.deepEqual(names, ['gate admit'])
  contains(below[0]!, { 'parley.admission': 'refused', 'parley.limit': 'ceiling' })
  assert.equal(request.status.code, SpanStatusCode.UNSET, 'which is no failure of ours')
  contains(request, {
    'http.response.status_code': 429,
    'error.type': 'daily_spend_limit_reached',
  })
  assert.deepEqual(spansOf(stranger).names, [])
  contains(spansOf(stranger).request, { 'error.type': 'invalid_api_key' })
  contains(spansOf(unknown).request, { 'error.type': 'unknown_model', 'parley.brand': undefined })
})

test('what fails is marked as failed: before the first byte, and in mid-stream', () => {
  assert.equal(failed.status, 502)
  assert.equal(brokenOff.status, 200)
  for (const [played, kind, cause] of [
    [failed, 'upstream_error', 'overloaded'],
    [brokenOff, 'upstream_failed', 'malformed'],
  ] as const) {
    const { request, below } = spansOf(played)
    assert.equal(request.status.code, SpanStatusCode.ERROR)
    contains(request, { 'error.type': kind, 'parley.ended': 'upstream_failed' })
    const call = below.find(({ name }) => name === 'chat svc-nova-v1')
    assert.equal(call?.status.code, SpanStatusCode.ERROR)
    contains(call, { 'error.type': cause })
  }
})

test('where the client leaves, the call that is cancelled has ended and has not failed', () => {
  const { request, below } = spansOf(left)
  contains(request, { 'parley.ended': 'client_left' })
  const call = below.find(({ name }) => name === 'chat svc-air-v1')
  assert.ok(call)
  contains(call, { 'error.type': 'cancelled' })
  assert.equal(call.status.code, SpanStatusCode.UNSET)
  assert.ok(below.some(({ name }) => name === 'ledger charge'))
})

test('the line of a request carries the id of its trace, and one that is not traced carries none', () => {
  const lines = service.child.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line))
  for (const played of [whole, failedOver, refused, stranger, failed, brokenOff, left]) {
    const [line, ...others] = lines.filter(
      (one) => one['request_id'] === played.id && one['msg'] === 'request',
    )
    assert.equal(others.length, 0)
    assert.equal(line?.['trace_id'], spansOf(played).request.traceId)
  }
  const untraced = lines.filter(
    ({ msg, route }) => msg === 'request' && String(route).startsWith('/operator'),
  )
  assert.ok(untraced.length > 0)
  for (const line of untraced) assert.equal('trace_id' in line, false)
})

test('nothing but chat requests has spans', () => {
  const names = new Set(collector.spans.map(({ name }) => name.replace(/(air|prime|nova)/, '…')))
  assert.deepEqual([...names].toSorted(), [
    'POST /v1/chat/:brand',
    'chat svc-…-v1',
    'gate admit',
    'ledger charge',
  ])
})

test('no span has a word of a conversation, a key, an account or any text of a caller', () => {
  const sent = collector.texts.join('\n')
  assert.ok(sent.includes(whole.id))
  const { accountId, key } = account
  for (const secret of [
    SECRET_WORDS,
    key,
    barred.key,
    accountId,
    'ada@example',
    'three',
    'own-text',
    'svc_live',
  ]) {
    assert.ok(!sent.includes(secret), secret)
  }
})
