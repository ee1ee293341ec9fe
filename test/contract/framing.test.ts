import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import {
  chat,
  hello,
  openAccount,
  operate,
  readEvents,
  type Answer,
  type OpenedAccount,
} from '../support/call.ts'
import { serveFor, serveWithUpstream } from '../support/service.ts'
import { exchange, openConnection } from './raw-exchange.ts'
import { writeRequest, type Written } from './write-request.ts'

/** The simulated model says how long the last message was: so each answer tells its request. */
const service = await serveFor({ after })
const large = await openAccount(service, { min_tier: 3, depositEur: '1000' })
const small = await openAccount(service, { min_tier: 2, depositEur: '50' })

interface Asked extends Omit<Written, 'key'> {
  readonly account?: OpenedAccount
}

function write({ account = large, ...asked }: Asked = {}): string {
  return writeRequest({ key: account.key, ...asked })
}

function assertAnswers(answer: Answer | undefined, { account = large, length = 1 }: Asked): void {
  assert.equal(answer?.status, 200, answer?.text)
  assert.equal(answer.headers.get('x-ratelimit-limit'), account === large ? '500' : '100')
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const content = isStream
    ? Array.from(readEvents(answer.text), ({ choices }) => choices[0].delta.content ?? '').join('')
    : answer.json.choices[0].message.content
  assert.match(content, new RegExp(`your last message, ${length} characters long`))
}

async function countReceipts(): Promise<number> {
  const lists = [large, small].map(({ accountId }) =>
    operate(service, 'GET', `/accounts/${accountId}/receipts?limit=200`),
  )
  const pages = await Promise.all(lists)
  return pages.reduce((sum, { json }) => sum + json.data.length, 0)
}

/** Whatever came before: an honest request is answered, nothing was unforeseen, no money is lost. */
afterEach(async () => {
  service.clock.advance(60_000)
  const { key } = await openAccount(service)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([json.ok, json.discrepancies], [true, []])
  assert.deepEqual(
    service.logged.filter((line) => /unexpected|"level":"error"/.test(line)),
    [],
  )
})

test('a request that comes byte by byte is a request', async () => {
  const [answer] = await exchange(service, write({ length: 7 }).split(''), { answers: 1 })
  assertAnswers(answer, { length: 7 })
})

test('a request may be cut in two anywhere', async () => {
  const text = write({ length: 5 })
  for (let at = 1; at < text.length; at += 1) {
    service.clock.advance(1_000)
    const [answer] = await exchange(service, [text.slice(0, at), text.slice(at)], { answers: 1 })
    assertAnswers(answer, { length: 5 })
  }
})

const pairs: Readonly<Record<string, readonly Asked[]>> = {
  'of two accounts': [{ length: 11 }, { account: small, length: 222 }],
  'a stream before a whole reply': [
    { length: 3, stream: true },
    { account: small, length: 44 },
  ],
  'a whole reply before a stream': [{ length: 3 }, { account: small, length: 44, stream: true }],
  'two streams': [
    { length: 12, stream: true },
    { account: small, length: 21, stream: true },
  ],
  'six in a row': [1, 2, 3, 4, 5, 6].map((length) => ({
    length,
    account: length % 2 === 0 ? small : large,
    stream: length % 3 === 0,
  })),
}

for (const [what, asked] of Object.entries(pairs)) {
  test(`pipelined requests, ${what}, are answered in order, each with its own`, async () => {
    const text = asked.map(write).join('')
    for (let at = 0; at < text.length; at += 37) {
      service.clock.advance(60_000)
      const pieces = [text.slice(0, at), text.slice(at)].filter((piece) => piece !== '')
      const answers = await exchange(service, pieces, { answers: asked.length })
      assert.equal(answers.length, asked.length)
      for (const [index, answer] of answers.entries()) assertAnswers(answer, asked[index]!)
      const ids = answers.map(({ headers }) => headers.get('x-request-id'))
      assert.equal(new Set(ids).size, asked.length)
    }
  })
}

test('a refused request does not take the answer of the one behind it', async () => {
  const nobody = { ...large, key: 'svc_live_nobody' }
  const refused: [Asked, Parameters<typeof assertRefused>[1]][] = [
    [{ account: nobody }, 'invalid_api_key'],
    [{ body: '{' }, 'invalid_request'],
    [{ target: '/v1/chat/zoom' }, 'unknown_model'],
    [{ target: '/v1/nothing' }, 'not_found'],
    [{ target: '/v1/models' }, 'method_not_allowed'],
  ]
  for (const [asked, code] of refused) {
    const last = { account: small, length: 33 }
    const [first, second] = await exchange(service, [write(asked) + write(last)], { answers: 2 })
    assertRefused(first!, code)
    assertAnswers(second, last)
  }
})

test('a body that ends before its end costs nothing and holds nothing', async () => {
  const text = write({ length: 20 })
  const start = text.indexOf('\r\n\r\n') + 4
  const receipts = await countReceipts()
  for (let at = start; at < text.length; at += 4) {
    const answers = await exchange(service, [text.slice(0, at)], { end: true })
    assert.ok(answers.length <= 1)
    for (const { status } of answers) assert.equal(status, 400)
    const connection = await openConnection(service)
    await connection.send(text.slice(0, at))
    connection.socket.resetAndDestroy()
  }
  assert.equal(await countReceipts(), receipts)
  const { json } = await operate(service, 'GET', `/accounts/${large.accountId}`)
  assert.equal(json.held_eur, '0.00')
})

test('a body that is still awaited keeps nobody waiting, and is answered when it has come', async () => {
  const text = write({ length: 20 })
  const connection = await openConnection(service)
  await connection.send(text.slice(0, -3))
  assert.equal((await chat(service, small.key, 'air', hello)).status, 200)
  assert.equal(connection.received, '')
  await connection.send(text.slice(-3))
  const [answer] = await connection.receive(1)
  assertAnswers(answer, { length: 20 })
  connection.socket.destroy()
})

test('what comes behind a Content-Length that is too short is no part of the body', async () => {
  const receipts = await countReceipts()
  const framing = 'Content-Length: 10\r\n'
  const answers = await exchange(service, [write({ framing })])
  // The hang-up may overtake the first refusal, for that one waits for its body.
  assert.ok(answers.length >= 1 && answers.every(({ status }) => status === 400))
  assert.equal(await countReceipts(), receipts)
})

test('no refusal is written into a stream that is on its way', async (t) => {
  const fault = { kind: 'hang', at: 'after-delta-1' } as const
  const { service: slow } = await serveWithUpstream(t, { content: 'A long story.', fault })
  const { key } = await openAccount(slow)
  const connection = await openConnection(slow)
  await connection.send(writeRequest({ key, stream: true }))
  while (!connection.received.includes('data: {')) await once(connection.socket, 'data')
  await connection.send('noise\r\n\r\n')
  connection.end()
  await connection.receive()
  assert.doesNotMatch(connection.received.slice('HTTP/1.1 '.length), /HTTP\/1\.1 /)
})

/** A second request in the body of the first: served, it would be on the first one's connection. */
const hidden = write({ account: small, length: 99 })
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const good = '{"messages":[{"role":"user","content":"x"}]}'

const unclear: Readonly<Record<string, Asked>> = {
  'both a length and chunks': {
    framing: 'Content-Length: 6\r\nTransfer-Encoding: chunked\r\n',
    body: `0\r\n\r\n${hidden}`,
  },
  'chunks and a length': {
    framing: `Transfer-Encoding: chunked\r\nContent-Length: ${good.length}\r\n`,
    body: good + hidden,
  },
  'two lengths': { framing: `Content-Length: 2\r\nContent-Length: ${good.length}\r\n`, body: good },
  'a list of lengths': { framing: 'Content-Length: 44, 44\r\n', body: good },
  'a negative length': { framing: 'Content-Length: -1\r\n', body: good },
  'a length with a sign': { framing: 'Content-Length: +44\r\n', body: good },
  'a length in hexadecimal': { framing: 'Content-Length: 0x2c\r\n', body: good },
  'a length beyond counting': { framing: `Content-Length: ${'9'.repeat(30)}\r\n`, body: good },
  'a length that is empty': { framing: 'Content-Length: \r\n', body: good },
  'a space before the colon': { framing: 'Content-Length : 44\r\n', body: good },
  'an encoding nobody knows': { framing: 'Transfer-Encoding: xchunked\r\n', body: chunked(good) },
  'chunks that are not last': {
    framing: 'Transfer-Encoding: chunked, identity\r\n',
    body: chunked(good),
  },
  'a chunk size that is no number': {
    framing: 'Transfer-Encoding: chunked\r\n',
    body: `zz\r\n${good}\r\n0\r\n\r\n`,
  },
  'a negative chunk size': { framing: 'Transfer-Encoding: chunked\r\n', body: `-1\r\n${good}` },
  'a chunk size beyond counting': {
    framing: 'Transfer-Encoding: chunked\r\n',
    body: `${'f'.repeat(17)}\r\n${good}\r\n0\r\n\r\n`,
  },
  'a chunk longer than it says': {
    framing: 'Transfer-Encoding: chunked\r\n',
    body: `5\r\n${good}\r\n0\r\n\r\n`,
  },
  'a bare line feed for a header': { framing: `X: y\nContent-Length: 44\r\n`, body: good },
  'a bare carriage return in a value': { framing: 'X: a\rContent-Length: 44\r\n', body: good },
  'a NUL in a value': { framing: 'X: a\0b\r\nContent-Length: 44\r\n', body: good },
  'a name with a space': { framing: 'X Y: z\r\nContent-Length: 44\r\n', body: good },
  'a line that goes on': { framing: 'X: y\r\n Content-Length: 2\r\n', body: hidden },
  'a head beyond all bounds': { framing: `X: ${'y'.repeat(100_000)}\r\n`, body: good },
  'headers beyond number': { framing: 'X: y\r\n'.repeat(5_000), body: good },
  'a version that is none': { version: 'x.y' },
  'a space in the address': { target: '/v1/chat/air nova' },
}

for (const [what, asked] of Object.entries(unclear)) {
  test(`a request with ${what} is refused, and its connection ends`, async () => {
    const receipts = await countReceipts()
    const answers = await exchange(service, [write(asked)], { end: true })
    assert.equal(await countReceipts(), receipts)
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.length >= 1 && statuses.every((one) => one === 400 || one === 431))
  })
}
