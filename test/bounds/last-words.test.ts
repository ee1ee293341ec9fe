import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FaultCode } from '#platform/fault.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { sendBare, type BareRequest } from '../support/bare-request.ts'
import { chat, hello, openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'
import { openWatched } from './connections.ts'

const MIB = 1024 * 1024
const LINGER_MS = 400

const service = await serveFor({ after }, { bounds: { lingerMs: LINGER_MS } })
const { key } = await openAccount(service, { min_tier: 3, depositEur: '100' })

/** Sent to its end before anything of the answer is read, as simple clients do. */
function post(headers: Readonly<Record<string, string>> = {}, path = '/v1/chat/air'): BareRequest {
  return {
    path,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
      ...headers,
    },
    body: makeChunks(),
  }
}

function* makeChunks(): Generator<Buffer> {
  const chunk = Buffer.alloc(64 * 1024, ' ')
  for (let sent = 0; sent < 20 * MIB; sent += chunk.length) yield chunk
}

const refused: Readonly<Record<string, readonly [() => BareRequest, FaultCode]>> = {
  'that is too large': [() => post(), 'invalid_request'],
  'of a stranger': [() => post({ authorization: 'Bearer x' }), 'invalid_api_key'],
  'of another type': [() => post({ 'content-type': 'text/plain' }), 'invalid_request'],
  'for no address': [() => post({}, '/v1/nothing'), 'not_found'],
}

for (const [what, [request, code]] of Object.entries(refused)) {
  test(`a body ${what} is refused in words though its connection closes`, async () => {
    // A reset overtakes an answer now and then, not always.
    for (let round = 0; round < 4; round += 1) {
      assertRefused(await sendBare(service, request()), code)
    }
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
  })
}

test('a client that never sends the rest of its body is not waited for beyond a time', async () => {
  const { socket, letGo } = await openWatched(service)
  socket.write('POST /v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n')
  socket.write('Content-Length: 1000\r\n\r\nx')
  const startedMs = performance.now()
  let answered = ''
  socket.on('data', (piece) => {
    answered += String(piece)
  })
  await within(LINGER_MS + 1_500, letGo, 'the service lets go')
  assert.ok(performance.now() - startedMs > LINGER_MS / 2)
  assert.match(answered, /^HTTP\/1\.1 404 /)
})
