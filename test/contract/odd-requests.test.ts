import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import fc from 'fast-check'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate, type Answer } from '../support/call.ts'
import { createRandom } from '../support/random.ts'
import { serveFor } from '../support/service.ts'
import { exchange } from './raw-exchange.ts'
import { writeRequest, type Written } from './write-request.ts'

const service = await serveFor({ after })
const { key } = await openAccount(service, { min_tier: 3, depositEur: '1000' })
const { seed } = createRandom()

const good = JSON.stringify(hello)

type Parts = Omit<Written, 'key'>

async function ask(parts: Parts): Promise<Answer> {
  const [answer] = await exchange(service, [writeRequest({ key, ...parts })], { answers: 1 })
  assert.ok(answer, 'there is an answer')
  return answer
}

/** Whatever came before: an honest request is answered, nothing was unforeseen, no money is lost. */
afterEach(async () => {
  service.clock.advance(60_000)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([json.ok, json.discrepancies], [true, []])
  const unforeseen = service.logged.filter((line) => /unexpected|"level":"error"/.test(line))
  assert.deepEqual(unforeseen, [])
})

/** What Node refuses by itself, before it is a request of ours. */
const unreadable: Readonly<Record<string, Parts>> = {
  'no Host': { host: '' },
  'an unclear length': { framing: 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n' },
  'a method that nobody knows': { method: 'FROB' },
  'a version that is none': { version: 'x.y' },
  'a head that is too large': { framing: `X: ${'y'.repeat(100_000)}\r\n` },
}

for (const [what, parts] of Object.entries(unreadable)) {
  test(`a request with ${what} is refused in the common error body, with its id`, async () => {
    const answer = await ask(parts)
    assert.ok([400, 431].includes(answer.status))
    assert.match(answer.text, /^\{"error":\{"code":"invalid_request","message":"\S.*"\}\}$/)
    assert.match(String(answer.headers.get('x-request-id')), /^req_/)
    assert.match(String(answer.headers.get('content-type')), /^application\/json/)
    assert.equal(answer.headers.get('connection'), 'close')
  })
}

test('an expectation that nobody knows is passed over, or refused in the common error body', async () => {
  const framing = `Expect: fish\r\nContent-Length: ${good.length}\r\n`
  const { status, text } = await ask({ framing, body: good })
  assert.match(text, status === 200 ? /"chat\.completion"/ : /^\{"error":\{"code":/)
})

test('a client that waits for 100-continue is told to go on', async () => {
  const framing = `Expect: 100-continue\r\nContent-Length: ${good.length}\r\n`
  assert.equal((await ask({ framing, body: good })).status, 200)
})

test('HTTP/1.0 is answered without chunks, and the connection ends', async () => {
  for (const stream of [false, true]) {
    const text = writeRequest({ key, version: '1.0', host: '', stream })
    const [answer, ...others] = await exchange(service, [text])
    assert.equal(answer?.status, 200, answer?.text)
    assert.equal(answer.headers.get('transfer-encoding'), null)
    assert.equal(answer.headers.get('connection'), 'close')
    assert.deepEqual(others, [])
    if (stream) assert.match(answer.text, /^data: \{[^]*data: \[DONE\]\n\n$/)
  }
})

test('an address in absolute form is answered as its path is (RFC 9112, 3.2.2)', async () => {
  const whole = await ask({ target: 'http://other.test/v1/chat/air' })
  assert.equal(whole.status, 200)
  assert.match(String(whole.headers.get('link')), /rel="service-doc"/)
  const other = await ask({ method: 'PUT', target: 'http://other.test/v1/chat/air' })
  assertRefused(other, 'method_not_allowed')
})

test('the addresses * and those of proxies lead nowhere', async () => {
  for (const [method, target] of [
    ['OPTIONS', '*'],
    ['GET', 'http://'],
    ['GET', 'ftp://other.test/v1/models'],
    ['GET', '//v1/models'],
    ['GET', '/v1//models'],
    ['GET', '/v1/./models'],
    ['GET', '/operator/v1/../../v1/models'],
    ['GET', '/v1/models/'],
    ['GET', '/v1/models%2f'],
    ['GET', '/V1/models'],
    ['GET', `/${'x'.repeat(9_000)}`],
  ] as const) {
    assertRefused(await ask({ method, target }), 'not_found')
  }
})

test('CONNECT makes no tunnel: the connection ends', async () => {
  const text = writeRequest({ key, method: 'CONNECT', target: 'other.test:443' })
  const answers = await exchange(service, [text])
  assert.ok(answers.every(({ status }) => status >= 400))
})

test('no other protocol is changed to', async () => {
  const framing = 'Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n'
  const answer = await ask({ method: 'GET', target: '/v1/models', framing, body: '' })
  assert.equal(answer.status, 200)
})

test('nothing that is sent becomes a header of the answer', async () => {
  const evil = 'x%0d%0ax-evil:%201%0d%0a%0d%0a'
  const lines = 'X-Request-Id: mine\r\nX-Evil: 1\r\nOrigin: http://evil.test\r\nLink: <x>\r\n'
  for (const [method, target] of [
    ['POST', `/v1/chat/${evil}`],
    ['POST', `/v1/chat/air?${evil}`],
    ['PUT', `/v1/chat/${evil}`],
    ['GET', `/${evil}`],
  ] as const) {
    const framing = `${lines}Content-Length: 0\r\n`
    const answer = await ask({ method, target, framing, body: '' })
    assert.ok(answer.status >= 400)
    assert.equal(answer.headers.get('x-evil'), null)
    assert.match(String(answer.headers.get('x-request-id')), /^req_/)
    assert.doesNotMatch(JSON.stringify([...answer.headers]), /evil|mine/)
  }
})

test('a body that is no UTF-8 is never the end of the service', async () => {
  const bodies = {
    'half a character': [0xc3],
    'no character': [0xff, 0xfe],
    'a surrogate': [0xed, 0xa0, 0x80],
    'too long a form': [0xc0, 0xaf],
    'beyond all planes': [0xf7, 0xbf, 0xbf, 0xbf],
  }
  const start = '{"messages":[{"role":"user","content":"'
  for (const [what, bytes] of Object.entries(bodies)) {
    const body = Buffer.concat([Buffer.from(start), Buffer.from(bytes), Buffer.from('"}]}')])
    const head = writeRequest({ key, framing: `Content-Length: ${body.length}\r\n`, body: '' })
    const [answer] = await exchange(service, [head, body], { answers: 1 })
    assert.ok([200, 400].includes(answer?.status ?? 0), `${what}: ${answer?.text}`)
  }
  for (const encoding of ['utf16le', 'latin1'] as const) {
    const body = Buffer.from(`\ufeff${start}é"}]}`, encoding)
    const head = writeRequest({ key, framing: `Content-Length: ${body.length}\r\n`, body: '' })
    const [answer] = await exchange(service, [head, body], { answers: 1 })
    assert.match(assertRefused(answer!, 'invalid_request'), /^body: /)
  }
})

interface Change {
  readonly at: number
  readonly remove: number
  readonly put: string
}

const snippet = fc.oneof(
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '\r\n\r\n', 'Content-Length: 3\r\n', '0\r\n'),
  fc.constantFrom('Transfer-Encoding: chunked\r\n', 'Expect: 100-continue\r\n', 'HTTP/1.1', '\t'),
  fc.string({ unit: fc.nat(255).map((code) => String.fromCodePoint(code)), maxLength: 4 }),
)
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  remove: fc.nat(3),
  put: snippet,
})

test('a request with bytes changed anywhere is answered or hung up on, in time', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const text = writeRequest({ key }) + writeRequest({ key, stream: true })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      service.clock.advance(60_000)
      let sent = text
      for (const { at, remove, put } of changes) {
        sent = sent.slice(0, at) + put + sent.slice(at + remove)
      }
      const answers = await exchange(service, [Buffer.from(sent, 'latin1')], { end: true })
      for (const { status } of answers) assert.ok(status < 500, `${status}`)
    }),
    { numRuns: 300, seed },
  )
})

test('noise is no request', async (t) => {
  t.diagnostic(`seed ${seed}`)
  const noise = fc.uint8Array({ minLength: 1, maxLength: 300 })
  await fc.assert(
    fc.asyncProperty(noise, async (bytes) => {
      const answers = await exchange(service, [Buffer.from(bytes)], { end: true })
      assert.ok(answers.every(({ status }) => status === 400))
    }),
    { numRuns: 100, seed },
  )
})
