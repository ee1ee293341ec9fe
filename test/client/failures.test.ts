import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import {
  ConnectionError,
  createClient,
  LimitedError,
  RefusedError,
  TimedOutError,
  UnavailableError,
  UnexpectedAnswerError,
  type ChatRequest,
  type ClientOptions,
  type ParleyError,
} from 'parley-client'
import { findFreePort } from '../support/child-service.ts'

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello!' }] }
const chunk = { choices: [{ index: 0, delta: { content: 'one' }, finish_reason: null }] }

/** A client of a server that answers as the test has it. */
async function clientOf(
  t: TestContext,
  answer: RequestListener,
  options: Omit<ClientOptions, 'baseUrl'> = {},
) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'k', ...options })
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  )
}

test('what is tried again is told before each wait, with its request id', async (t) => {
  let asked = 0
  const told: ParleyError[] = []
  const client = await clientOf(
    t,
    (_request, response) => {
      asked += 1
      const status = [502, 429][asked - 1] ?? 200
      const headers = { 'x-request-id': `req_${asked}`, 'retry-after': '0' }
      response.writeHead(status, { ...headers, 'content-type': 'application/json' })
      response.end(JSON.stringify(status === 200 ? { choices: [] } : {}))
    },
    { onRetry: (error) => told.push(error) },
  )
  assert.equal((await client.chat('air', hello)).requestId, 'req_3')
  assert.ok(told[0] instanceof UnavailableError && told[1] instanceof LimitedError)
  assert.deepEqual(
    told.map(({ requestId }) => requestId),
    ['req_1', 'req_2'],
  )
})

test('a wait as long as the longest is waited, a longer one is not', async (t) => {
  for (const [asked, waited] of [
    [60, 1],
    [61, 0],
  ] as const) {
    const controller = new AbortController()
    const waits: number[] = []
    const client = await clientOf(t, (_request, response) => {
      response.writeHead(429, { 'retry-after': String(asked) }).end()
    })
    const onRetry = (_error: unknown, waitMs: number): void => {
      waits.push(waitMs)
      controller.abort(new Error('seen'))
    }
    const options = { onRetry, signal: controller.signal }
    await failureOf(client.chat('air', hello, options))
    assert.equal(waits.length, waited, `${asked} s`)
    for (const wait of waits) assert.ok(wait >= 60_000 && wait <= 60_250, String(wait))
  }
})

test('a silent service is not waited for, and not asked again: it may be at work', async (t) => {
  let asked = 0
  const client = await clientOf(t, () => (asked += 1), { timeoutMs: 50 })
  const error = await failureOf(client.chat('air', hello))
  assert.ok(error instanceof TimedOutError)
  assert.equal(error.message, 'The service sent nothing for 0.05 s.')
  assert.equal(asked, 1)
})

test('a client may be as patient as it likes', async (t) => {
  const client = await clientOf(
    t,
    (_request, response) => {
      const answer = (): void => void response.end(JSON.stringify({ choices: [] }))
      setTimeout(answer, 50)
    },
    { timeoutMs: Infinity },
  )
  assert.deepEqual((await client.chat('air', hello)).choices, [])
})

test('a stream may not fall silent; a sign of life is one, and its reader may take its time', async (t) => {
  const client = await clientOf(
    t,
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' })
      let beats = 0
      const heart = setInterval(() => {
        beats += 1
        if (beats < 8) response.write(': keep-alive\n\n')
        else if (beats === 8) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
      }, 50)
      response.on('close', () => clearInterval(heart))
    },
    { timeoutMs: 200 },
  )
  const stream = await client.stream('air', hello)
  const chunks = stream[Symbol.asyncIterator]()
  // Eight beats take longer than one silence may.
  assert.equal((await chunks.next()).done, false)
  const error = await failureOf(chunks.next())
  assert.ok(error instanceof TimedOutError)
  assert.equal(error.requestId, 'req_1')
})

test('what is no service of ours is told from a lost connection', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  })
  const calls = [
    () => client.chat('air', hello),
    () => client.stream('air', hello),
    () => client.models(),
  ]
  for (const call of calls) {
    const error = await failureOf(call())
    assert.ok(error instanceof UnexpectedAnswerError)
    assert.match(error.message, /^The answer \(200, text\/html\) is no reply of Parley's\./)
  }
})

test('a redirect is not followed, and told', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(301, { location: 'https://elsewhere.example/v1' }).end()
  })
  const error = await failureOf(client.chat('air', hello))
  assert.ok(error instanceof RefusedError)
  assert.equal(
    error.message,
    'The answer was 301, a redirect to https://elsewhere.example/v1. Is baseUrl right?',
  )
})

test('a stream that ends before its end is a lost connection, with its request id', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' })
    response.end(`data: ${JSON.stringify(chunk)}\n\n`)
  })
  const stream = await client.stream('air', hello)
  const error = await failureOf(Array.fromAsync(stream))
  assert.ok(error instanceof ConnectionError)
  assert.deepEqual(
    [error.requestId, error.message],
    ['req_1', 'The connection to the service broke off.'],
  )
  await assert.rejects(Array.fromAsync(stream), /A stream is read once/)
})

test('an event without end is not kept in memory', async (t) => {
  const client = await clientOf(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: ')
    const more = (): void => void response.write('x'.repeat(1_000_000), () => more())
    more()
  })
  const stream = await client.stream('air', hello)
  const error = await failureOf(Array.fromAsync(stream))
  assert.ok(error instanceof ConnectionError)
  assert.match(String(error.cause), /more than 4000000 characters/)
})

test('where nobody listens, the error says so', async () => {
  const baseUrl = `http://127.0.0.1:${await findFreePort()}/v1`
  const client = createClient({ baseUrl, apiKey: 'k', maxRetries: 0 })
  const error = await failureOf(client.chat('air', hello))
  assert.ok(error instanceof ConnectionError)
  assert.equal(error.message, 'The service cannot be reached (ECONNREFUSED).')
})

test('what cannot be sent is told at once', () => {
  const baseUrl = 'http://127.0.0.1:8080/v1'
  for (const apiKey of ['', 'two words', 'chavé']) {
    assert.throws(() => createClient({ baseUrl, apiKey }), /^TypeError: apiKey is empty, or has/)
  }
  assert.throws(() => createClient({ baseUrl: '127.0.0.1' }), /^TypeError: baseUrl is no address/)
})
