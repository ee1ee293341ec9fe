import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setInterval as every } from 'node:timers/promises'
import { assertRefused } from '../support/assert-refused.ts'
import { sendBare, type BareRequest } from '../support/bare-request.ts'
import { call, chat, hello, openAccount, type Answer } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service, upstream } = await serveWithUpstream({ after }, { content: 'ok' })
const { key } = await openAccount(service, { min_tier: 3, depositEur: '100' })

const MIB = 1024 * 1024
const LIMIT_BYTES = 16 * MIB
const helloText = JSON.stringify({ ...hello, max_tokens: 16 })
const path = '/v1/chat/prime'
const authorization = `Bearer ${key}`
const json = { authorization, 'content-type': 'application/json' }

function ask(body: unknown): Promise<Answer> {
  return call(service, 'POST', path, { key, body })
}

/** Counted, and refused for its body: the message says so, and the limits are told. */
function assertBodyRefused(answer: Answer): void {
  assert.match(assertRefused(answer, 'invalid_request'), /^body: /)
  assert.equal(answer.headers.get('x-ratelimit-limit'), '500')
  assert.match(String(answer.headers.get('ratelimit')), /"requests";r=\d+/)
}

const notJson = ['', ' ', '{', '{"messages":[{"role":"user","content":"x"}]', "{'a': 1}", 'hello']
const noObject = ['null', '[]', '"text"', '42', 'true']

for (const body of [...notJson, ...noObject]) {
  test(`the body ${JSON.stringify(body)} is refused as a whole`, async () => {
    assertBodyRefused(await ask(body))
  })
}

const wrongTypes = {
  'no type': undefined,
  'an empty type': '',
  'plain text': 'text/plain',
  'a form': 'application/x-www-form-urlencoded',
  'another JSON': 'application/problem+json',
  'almost JSON': 'application/jsonp',
  'what is no type at all': 'json',
  'a broken type': 'application/json/x; =',
}

for (const [what, type] of Object.entries(wrongTypes)) {
  test(`a body sent with ${what} is refused`, async () => {
    const typed = type === undefined ? {} : { 'content-type': type }
    const headers = { authorization, ...typed }
    assertBodyRefused(await sendBare(service, { path, headers, body: helloText }))
  })
}

for (const type of [
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json ;x=y',
]) {
  test(`a body sent as ${type} is taken`, async () => {
    const headers = { authorization, 'content-type': type }
    const answer = await sendBare(service, { path, headers, body: helloText })
    assert.equal(answer.status, 200, answer.text)
  })
}

test('a request without any body is refused, with a type and without', async () => {
  for (const headers of [{ authorization }, json]) {
    const answer = await sendBare(service, { path, headers })
    assert.match(assertRefused(answer, 'invalid_request'), /^(body|messages): /)
    assert.equal(answer.headers.get('x-ratelimit-limit'), '500')
  }
})

function padded(sizeBytes: number): string {
  return helloText + ' '.repeat(sizeBytes - helloText.length)
}

function* makeChunks(sizeBytes: number): Generator<Buffer> {
  yield Buffer.from(helloText)
  const chunk = Buffer.alloc(64 * 1024, ' ')
  for (let sent = helloText.length; sent < sizeBytes; sent += chunk.length) yield chunk
}

test('a body of 16 MiB is read, and one byte more is refused', async () => {
  assert.equal((await ask(padded(LIMIT_BYTES))).status, 200)
  assertBodyRefused(await ask(padded(LIMIT_BYTES + 1)))
})

const tooLarge: Readonly<Record<string, BareRequest>> = {
  'with its length told': { path, headers: json, body: padded(20 * MIB) },
  'in chunks': { path, headers: json, body: makeChunks(20 * MIB) },
}

for (const [how, request] of Object.entries(tooLarge)) {
  test(`a body of 20 MiB sent ${how} is 400, not a broken connection`, async () => {
    assertBodyRefused(await sendBare(service, request))
    assert.equal((await chat(service, key, 'prime', hello)).status, 200)
  })
}

test('a body far beyond the bound does not fill the memory', async () => {
  const sizeBytes = 512 * MIB
  const measuring = new AbortController()
  const before = process.memoryUsage().rss
  let most = before
  const measured = measure(measuring.signal, () => {
    most = Math.max(most, process.memoryUsage().rss)
  })
  assertBodyRefused(await sendBare(service, { path, headers: json, body: makeChunks(sizeBytes) }))
  measuring.abort()
  await measured
  const grownBytes = most - before
  assert.ok(grownBytes < sizeBytes / 4, `grew by ${Math.round(grownBytes / MIB)} MiB`)
})

async function measure(signal: AbortSignal, sample: () => void): Promise<void> {
  try {
    for await (const _ of every(5, undefined, { signal })) sample()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const LEVELS = 100_000
const deep = '{"a":'.repeat(LEVELS) + '1' + '}'.repeat(LEVELS)
const question = '{"role":"user","content":"x"}'
const tool = (parameters: string) => `{"function":{"name":"look","parameters":${parameters}}}`

test('tool parameters nested 100000 levels deep are 400, and not the end of the service', async () => {
  for (const nested of [deep, `{"type":"object","properties":{"x":${deep}}}`]) {
    const answer = await ask(`{"messages":[${question}],"tools":[${tool('{}')},${tool(nested)}]}`)
    const message = assertRefused(answer, 'invalid_request')
    assert.match(message, /^tools\[1\]\.function\.parameters: /)
  }
  const arrays = `{"x":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}}`
  const answer = await ask(`{"messages":[${question}],"tools":[${tool(arrays)}]}`)
  assert.match(assertRefused(answer, 'invalid_request'), /^tools\[0\]\.function\.parameters: /)
})

test('depth anywhere else is refused where the field is known and ignored where it is not', async () => {
  assert.equal((await ask(`{"messages":[${question}],"metadata":${deep}}`)).status, 200)
  for (const [place, body] of [
    ['messages', `{"messages":${deep}}`],
    ['messages[0].content', `{"messages":[{"role":"user","content":${deep}}]}`],
    ['temperature', `{"messages":[${question}],"temperature":${deep}}`],
  ] as const) {
    const message = assertRefused(await ask(body), 'invalid_request')
    assert.ok(message.startsWith(`${place}: `), message)
  }
})

test('parameters as deep as people write them reach the provider whole', async () => {
  const nested = '{"type":"array","items":'.repeat(30) + '{"type":"string"}' + '}'.repeat(30)
  const answer = await ask(`{"messages":[${question}],"tools":[${tool(nested)}]}`)
  assert.equal(answer.status, 200, answer.text)
  const [received] = upstream.requests.at(-1)!.body.tools as [{ function: { parameters: object } }]
  assert.deepEqual(received.function.parameters, JSON.parse(nested))
})

test('keys named __proto__ and constructor change nothing', async () => {
  const harmless = [
    `{"messages":[${question}],"__proto__":{"stream":true,"temperature":9}}`,
    `{"messages":[{"role":"user","content":"x","__proto__":{"tool_calls":1}}],"constructor":1}`,
    `{"messages":[${question}],"tools":[${tool('{"__proto__":{"polluted":true}}')}]}`,
  ]
  for (const body of harmless) {
    const answer = await ask(body)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.object, 'chat.completion')
  }
  const parameters = JSON.stringify(upstream.requests.at(-1)?.body.tools)
  assert.ok(parameters.includes('{"__proto__":{"polluted":true}}'), parameters)
  assert.equal('polluted' in {}, false)
  for (const [place, body] of [
    ['messages', `{"__proto__":{"messages":[${question}]}}`],
    ['messages[0].content', '{"messages":[{"role":"user","__proto__":{"content":"x"}}]}'],
    ['messages[0].role', '{"messages":[{"role":"constructor","content":"x"}]}'],
  ] as const) {
    const message = assertRefused(await ask(body), 'invalid_request')
    assert.ok(message.startsWith(`${place}: `), message)
  }
})

test('an input that cannot fit the context window is 400 and names the messages', async () => {
  const messages = Array.from({ length: 4 }, () => ({
    role: 'user',
    content: 'word '.repeat(40_000),
  }))
  for (const stream of [false, true]) {
    const requests = upstream.requests.length
    const answer = await chat(service, key, 'air', { messages, stream })
    assert.match(assertRefused(answer, 'invalid_request'), /^messages: /)
    assert.equal(upstream.requests.length, requests)
  }
})

test("a provider's word that the input does not fit is the same 400", async () => {
  upstream.play({ fault: { kind: 'context-overflow' } })
  for (const stream of [false, true]) {
    const answer = await chat(service, key, 'air', { ...hello, stream })
    assert.match(assertRefused(answer, 'invalid_request'), /^messages: /)
  }
  upstream.play({ content: 'ok' })
})
