import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import fastify from 'fastify'
import { createStandingStream, type StandingStream } from './standing-streams.ts'

/** A stream over a real connection, from its two ends. */
async function openStream(t: TestContext) {
  const opened = Promise.withResolvers<StandingStream>()
  const server = fastify()
  t.after(() => server.close())
  server.get('/', (_request, reply) => opened.resolve(createStandingStream(reply)))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, agent: false })
  t.after(() => request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return { stream: await opened.promise, response }
}

test('whoever takes nothing is hung up on, before much waits for them', async (t) => {
  const { stream, response } = await openStream(t)
  response.pause()
  const over = new AbortController()
  stream.onEnd(() => over.abort())
  const text = 'x'.repeat(16 * 1024)
  let sent = 0
  while (!over.signal.aborted) {
    // The system itself takes some megabytes of what nobody reads.
    assert.ok(sent < 4_096, 'so much was written that nobody takes')
    stream.standing(text)
    sent += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  stream.standing(text)
})

test('what is told after the end goes nowhere, and the end is told at once to who asks later', async (t) => {
  const { stream, response } = await openStream(t)
  const texts: string[] = []
  response.setEncoding('utf8').on('data', (text: string) => texts.push(text))
  stream.standing('{}')
  stream.signedOut()
  stream.standing('{"late":1}')
  await once(response, 'end')
  assert.equal(
    texts.join(''),
    'retry: 3000\n\nevent: standing\ndata: {}\n\nevent: signed_out\ndata: {}\n\n',
  )
  await new Promise<void>((resolve) => stream.onEnd(resolve))
  await new Promise<void>((resolve) => stream.onEnd(resolve))
})
