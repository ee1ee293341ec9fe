import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { openConnection } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { sendBare } from '../support/bare-request.ts'
import { call, chat, hello, openAccount, operate } from '../support/call.ts'
import { serveFor, serveWithUpstream } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'
import { openWatched } from './connections.ts'
import { measureHeld } from './measure-held.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Bodies under way may take 8 KiB in all, and 4 KiB of one account. */
const small = { maxHeldBytes: 8 * KIB, maxHeldBytesOfOne: 4 * KIB }

/** A question that is so long, its padding being no part of the question. */
function sized(sizeBytes: number): string {
  return JSON.stringify(hello).padEnd(sizeBytes)
}

async function serveSmall(t: TestContext) {
  const release = Promise.withResolvers<void>()
  const { service, upstream } = await serveWithUpstream(t, {}, { bounds: small })
  const accounts = await Promise.all(
    Array.from({ length: 4 }, () => openAccount(service, { depositEur: '20' })),
  )
  const ask = (account: number, sizeBytes: number) =>
    call(service, 'POST', '/v1/chat/air', { key: accounts[account]!.key, body: sized(sizeBytes) })
  const hold = () =>
    upstream.play({ content: 'ok', pauses: [{ at: 'before-head', until: release.promise }] })
  const free = () => upstream.play({ content: 'ok' })
  return { service, upstream, accounts, ask, hold, free, release: release.resolve }
}

test('an account whose input fills its share is refused, and the others are served', async (t) => {
  const { ask, hold, free, upstream, release } = await serveSmall(t)
  hold()
  const underWay = [ask(0, 3 * KIB)]
  await upstream.request(0)
  free()
  const refused = await ask(0, 2 * KIB)
  assert.match(assertRefused(refused, 'model_unavailable'), /^This account has as much input/)
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '98', 'it counts all the same')
  assert.equal((await ask(0, 1 * KIB)).status, 200)
  assert.equal((await ask(1, 4 * KIB)).status, 200)
  release()
  for (const answer of await Promise.all(underWay)) assert.equal(answer.status, 200)
  assert.equal((await ask(0, 4 * KIB)).status, 200)
})

test('a service whose room for input is full says so to everybody, until there is room', async (t) => {
  const { ask, hold, free, upstream, release } = await serveSmall(t)
  hold()
  const underWay = [ask(0, 4 * KIB), ask(1, 4 * KIB)]
  await Promise.all([upstream.request(0), upstream.request(1)])
  free()
  assert.match(assertRefused(await ask(2, 1 * KIB), 'model_unavailable'), /^The service has/)
  release()
  await Promise.all(underWay)
  assert.equal((await ask(2, 1 * KIB)).status, 200)
})

test('room is given back by whatever ends a request', async (t) => {
  const { service, accounts, ask, free } = await serveSmall(t)
  free()
  const { key } = accounts[0]!
  const whole = sized(4 * KIB)
  for (let round = 0; round < 3; round += 1) {
    assert.equal((await ask(0, 4 * KIB)).status, 200)
    const post = { method: 'POST', path: '/v1/chat/air' } as const
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const half = { ...post, headers, body: [whole.slice(0, 2 * KIB), whole.slice(2 * KIB)] }
    const chunks = { ...half, body: half.body.map((text) => Buffer.from(text)) }
    assert.equal((await sendBare(service, chunks)).status, 200)
    const broken = { ...post, headers, body: '{'.padEnd(4 * KIB) }
    assertRefused(await sendBare(service, broken), 'invalid_request')
    const overfull = { ...chunks, body: [...chunks.body, Buffer.from(' ')] }
    assertRefused(await sendBare(service, overfull), 'model_unavailable')
    // A client that goes before its body has come.
    const { socket, letGo } = await openWatched(service)
    const arrived = once(service.app.server.server, 'request')
    socket.write(writeRequest({ key, body: whole }).slice(0, -10))
    await arrived
    assertRefused(await ask(0, 1 * KIB), 'model_unavailable')
    socket.resetAndDestroy()
    await within(10_000, letGo, 'the service notices')
    service.clock.advance(60_000)
  }
  assert.equal((await ask(0, 4 * KIB)).status, 200)
})

test('the operator has a share as well, and is told when it is full', async (t) => {
  const { service } = await serveSmall(t)
  const long = { email: 'x@example.com', name: 'x', padding: 'x'.repeat(5 * KIB) }
  assertRefused(await operate(service, 'POST', '/accounts', long), 'model_unavailable')
  assert.equal((await operate(service, 'GET', '/accounts')).status, 200)
})

test('a body that comes byte by byte takes no more memory than one that comes whole', async (t) => {
  const service = await serveFor(t)
  const { key } = await openAccount(service)
  const before = measureHeld()
  const connection = await openConnection(service)
  const framing = 'Transfer-Encoding: chunked\r\n'
  await connection.send(writeRequest({ key, framing, body: '' }))
  const crumbs = Buffer.from('1\r\n \r\n'.repeat(16 * KIB))
  for (let sent = 0; sent < 512 * KIB; sent += 16 * KIB) {
    if (!connection.socket.write(crumbs)) await once(connection.socket, 'drain')
  }
  const grownBytes = measureHeld() - before
  // As a list of chunks, each keeping what it came with, it would be fifty.
  assert.ok(grownBytes < 16 * MIB, `grew by ${Math.round(grownBytes / MIB)} MiB`)
  const text = JSON.stringify(hello)
  await connection.send(`${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`)
  const [answer] = await connection.receive(1)
  assert.equal(answer?.status, 200, answer?.text)
  connection.socket.destroy()
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
})
