import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { chat, hello, openAccount } from '../support/call.ts'
import { serveFor, type Service } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'
import { openSilent } from './connections.ts'

const MIB = 1024 * 1024

/** Some at a time: the system drops what comes faster than it is taken from its queue. */
async function openMany(service: Service, count: number): Promise<Socket[]> {
  const opened: Socket[] = []
  while (opened.length < count) {
    opened.push(...(await Promise.all(Array.from({ length: 100 }, () => openSilent(service)))))
  }
  return opened
}

function closed(socket: Socket): Promise<unknown> {
  // What nobody reads has no end.
  socket.resume()
  return socket.closed ? Promise.resolve() : once(socket, 'close')
}

test('2000 idle connections leave a client served in time, take little, and are closed', async (t) => {
  const service = await serveFor(t, { bounds: { headTimeoutMs: 4_000, checkEveryMs: 50 } })
  const { key } = await openAccount(service)
  const ask = async () => (await chat(service, key, 'air', hello)).status
  assert.equal(await ask(), 200)
  const before = process.memoryUsage().rss
  const idle = await openMany(service, 2_000)
  const grownBytes = process.memoryUsage().rss - before
  // Both ends of each are in this process.
  assert.ok(grownBytes < 64 * MIB, `grew by ${Math.round(grownBytes / MIB)} MiB`)
  for (let count = 0; count < 5; count += 1) {
    assert.equal(await within(10_000, ask(), 'an answer beside 2000 idle connections'), 200)
  }
  assert.equal(idle.filter((socket) => socket.closed).length, 0)
  await within(20_000, Promise.all(idle.map(closed)), 'they are closed')
  assert.equal(await ask(), 200)
})

test('what comes beyond the bound is closed at once, and idle connections make room', async (t) => {
  const service = await serveFor(t, { bounds: { maxConnections: 3 } })
  const first = await openSilent(service)
  const second = await openSilent(service)
  const { hostname, port } = new URL(service.origin)
  const kept = connect({ host: hostname, port: Number(port) })
  kept.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(kept, 'data')

  const surplus = await openSilent(service)
  await within(10_000, closed(surplus), 'the fourth is closed')
  await within(10_000, closed(kept), 'the one between two requests gives way')
  const third = await openSilent(service)
  third.write('GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await within(10_000, once(third, 'data'), 'there is room again')
  assert.equal(first.closed || second.closed, false, 'who has not asked yet is not cut off')
  for (const socket of [first, second, third]) socket.destroy()
})

test('a flood of connections beyond the bound is one line in the log', async (t) => {
  const service = await serveFor(t, { bounds: { maxConnections: 1 } })
  const first = await openSilent(service)
  for (let count = 0; count < 50; count += 1) await closed(await openSilent(service))
  const lines = service.logged.filter((line) => line.includes('too many connections'))
  assert.equal(lines.length, 1)
  first.destroy()
})
