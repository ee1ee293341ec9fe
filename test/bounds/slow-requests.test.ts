import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { openConnection, type Connection } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'
import { within } from '../upstreams/scene.ts'
import { openWatched } from './connections.ts'

const HEAD_MS = 300
const REQUEST_MS = 600
const IDLE_MS = 200
/** What Node waits in addition before it closes a connection that is kept. */
const IDLE_BUFFER_MS = 1_000
/** For a look every 20 ms, and a machine that does something else as well. */
const SLACK_MS = 1_500
const BYTE_EVERY_MS = 15
/** What a refused client is given to take its refusal. */
const FAREWELL_MS = 1_000

const service = await serveFor(
  { after },
  {
    bounds: {
      headTimeoutMs: HEAD_MS,
      requestTimeoutMs: REQUEST_MS,
      idleTimeoutMs: IDLE_MS,
      checkEveryMs: 20,
    },
  },
)
const { key, accountId } = await openAccount(service, { depositEur: '50' })

/** How long the service leaves a connection open that is left alone, or trickled into. */
async function measureOpenMs({ socket }: Connection): Promise<number> {
  const fromMs = performance.now()
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(5_000) })
  return performance.now() - fromMs
}

function assertBetween(foundMs: number, leastMs: number): void {
  assert.ok(foundMs >= leastMs - BYTE_EVERY_MS, `closed after ${foundMs} ms, before its time`)
  assert.ok(foundMs < leastMs + SLACK_MS, `closed after ${foundMs} ms`)
}

/** Sends byte by byte for as long as the service listens: slower than it waits for. */
async function trickle(connection: Connection, text: string): Promise<void> {
  for (const character of text) {
    if (connection.socket.destroyed) return
    connection.socket.write(character)
    await wait(BYTE_EVERY_MS)
  }
}

async function assertTimedOut(connection: Connection): Promise<void> {
  const [answer, ...others] = await connection.receive()
  assert.equal(answer?.status, 408)
  assert.equal(answer.json.error.code, 'invalid_request')
  assert.match(answer.headers.get('x-request-id') ?? '', /^req_/)
  assert.deepEqual(others, [])
}

test('a head that trickles in is given up, and its client told', async () => {
  const connection = await openConnection(service)
  void trickle(connection, writeRequest({ key }))
  assertBetween(await measureOpenMs(connection), HEAD_MS)
  await assertTimedOut(connection)
})

test('a body that trickles in is given up, costs nothing and holds nothing', async () => {
  const connection = await openConnection(service)
  const text = writeRequest({ key, length: 200 })
  const body = text.indexOf('\r\n\r\n') + 4
  await connection.send(text.slice(0, body))
  void trickle(connection, text.slice(body))
  assertBetween(await measureOpenMs(connection), REQUEST_MS)
  await assertTimedOut(connection)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.equal(json.held_eur, '0.00')
  const { json: receipts } = await operate(service, 'GET', `/accounts/${accountId}/receipts`)
  assert.equal(receipts.data.length, 0)
})

test('a connection that never says anything is closed without an answer', async () => {
  const connection = await openConnection(service)
  assertBetween(await measureOpenMs(connection), HEAD_MS)
  assert.equal(connection.received, '')
})

test('a connection is kept for another request, but not for ever', async () => {
  const connection = await openConnection(service)
  for (const length of [1, 2]) {
    await connection.send(writeRequest({ key, length }))
    const answers = await connection.receive(length)
    assert.equal(answers.length, length)
  }
  assertBetween(await measureOpenMs(connection), IDLE_MS + IDLE_BUFFER_MS)
})

test('a second request that stops in its head is given up like a first', async () => {
  const connection = await openConnection(service)
  const text = writeRequest({ key })
  await connection.send(text)
  await connection.receive(1)
  await connection.send(text.slice(0, 30))
  assertBetween(await measureOpenMs(connection), HEAD_MS)
  assert.match(connection.received, /HTTP\/1\.1 408 /)
})

const stubborn: Readonly<Record<string, string>> = {
  'sends what is not HTTP': 'noise\r\n\r\n',
  'sends what is not HTTP behind a request': `${writeRequest({ key })}noise\r\n\r\n`,
  'stops in its head': writeRequest({ key }).slice(0, 40),
  'stops in its body': writeRequest({ key }).slice(0, -3),
}

for (const [what, text] of Object.entries(stubborn)) {
  test(`a client that ${what}, and never ends its side, is left after its answer`, async () => {
    const { socket, letGo } = await openWatched(service, { allowHalfOpen: true })
    socket.setEncoding('utf8').write(text)
    let answered = ''
    for await (const piece of socket) answered += String(piece)
    assert.match(answered, /HTTP\/1\.1 40[08] /)
    assert.equal(socket.writable, true, 'its own side is still open')
    await within(FAREWELL_MS + SLACK_MS, letGo, 'the service lets go')
    socket.destroy()
  })
}

test('a request that takes its time within the bounds is answered', async () => {
  const connection = await openConnection(service)
  const text = writeRequest({ key })
  await connection.send(text.slice(0, 40))
  await wait(HEAD_MS / 2)
  await connection.send(text.slice(40, -10))
  await wait(HEAD_MS / 2)
  await connection.send(text.slice(-10))
  const [answer] = await connection.receive(1)
  assert.equal(answer?.status, 200)
  connection.socket.destroy()
})

test('whoever is slow holds up nobody', async () => {
  const slow = await Promise.all(Array.from({ length: 200 }, () => openConnection(service)))
  for (const connection of slow) void trickle(connection, writeRequest({ key }))
  const answer = await chat(service, key, 'air', hello)
  assert.equal(answer.status, 200, answer.text)
  assertRefused(await chat(service, 'svc_live_x', 'air', hello), 'invalid_api_key')
  await Promise.all(slow.map((connection) => measureOpenMs(connection)))
})
