import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { call, chat, hello, openAccount, operate } from '../support/call.ts'
import { serveFor, type Service } from '../support/service.ts'
import { exchange, openConnection } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'
import { within } from '../upstreams/scene.ts'
import { openWatched } from './connections.ts'
import { measureHeld } from './measure-held.ts'

const MIB = 1024 * 1024
const document = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'
const nothing = 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'

test('32 requests behind one another are answered in order', async (t) => {
  const service = await serveFor(t)
  const answers = await exchange(service, [nothing.repeat(32)], { answers: 32 })
  for (const { status } of answers) assert.equal(status, 404)
  assert.equal(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size, 32)
})

test('a connection may ask as often as it likes, one request after the other', async (t) => {
  const service = await serveFor(t)
  const connection = await openConnection(service)
  for (let count = 1; count <= 100; count += 1) {
    await connection.send(nothing)
    const answers = await connection.receive(count)
    assert.equal(answers.length, count)
    assert.equal(answers.at(-1)?.status, 404)
  }
  connection.socket.destroy()
})

test('a thousand requests of which no answer is read end the connection, and fill no memory', async (t) => {
  const service = await serveFor(t)
  // What is made once, for the first of them, is no part of it.
  const clients = [await flood(service)]
  const before = measureHeld()
  for (let round = 0; round < 20; round += 1) clients.push(await flood(service))
  const grownBytes = measureHeld() - before
  assert.ok(grownBytes < 8 * MIB, `holds ${Math.round(grownBytes / MIB)} MiB`)
  for (const socket of clients) socket.destroy()
  assert.equal((await call(service, 'GET', '/v1/openapi.json')).status, 200)
})

/** The client's end of a connection that has asked a thousand times, and that the service has left. */
async function flood(service: Service): Promise<Socket> {
  const { socket, letGo } = await openWatched(service)
  socket.write(document.repeat(1_000))
  await within(10_000, letGo, 'the service hangs up')
  return socket
}

test('a thousand chat requests at once on one connection hold no money when it is gone', async (t) => {
  const service = await serveFor(t)
  const { key, accountId } = await openAccount(service, { min_tier: 3, depositEur: '1000' })
  const { socket, letGo } = await openWatched(service)
  socket.write(writeRequest({ key, stream: true }).repeat(1_000))
  await within(20_000, letGo, 'the service hangs up')
  socket.destroy()
  service.clock.advance(60_000)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.equal(json.held_eur, '0.00')
  const { json: books } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([books.ok, books.discrepancies], [true, []])
})
