import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { ProviderOptions } from '#models/index.ts'
import { encoders } from './encode-events.ts'
import type { WireReply } from './recordings.ts'

export interface ProviderRequest {
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
  /** Fulfilled when its connection is closed by the other side before the reply has ended. */
  readonly left: Promise<void>
}

export interface FakeProvider {
  readonly url: string
  readonly requests: readonly ProviderRequest[]
  /** What is answered from now on. */
  play(reply: WireReply): void
  close(): Promise<void>
}

const CONTENT_TYPES: Readonly<Record<ProviderOptions['kind'], string>> = {
  anthropic: 'text/event-stream; charset=utf-8',
  google: 'text/event-stream',
  bedrock: 'application/vnd.amazon.eventstream',
}

export async function startFakeProvider(kind: ProviderOptions['kind']): Promise<FakeProvider> {
  const requests: ProviderRequest[] = []
  let reply: WireReply = { status: 500, body: {} }

  const server = createServer((request, response) => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    response.on('close', () => {
      if (!response.writableFinished) resolve()
    })
    const { url = '', headers } = request
    void json(request).then((body) => {
      requests.push({ path: url, headers, body: body as ProviderRequest['body'], left })
      answer(kind, reply, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    play(next) {
      reply = next
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function answer(
  kind: ProviderOptions['kind'],
  { status = 200, headers = {}, body, events = [], ending = 'end' }: WireReply,
  response: ServerResponse,
): void {
  if (body !== undefined) {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
    return
  }
  if (ending === 'silence' && events.length === 0) return
  response.writeHead(status, { 'content-type': CONTENT_TYPES[kind], ...headers })
  response.flushHeaders()
  for (const event of events) {
    const bytes = encoders[kind](event)
    // Split within a frame or a line, as a network does.
    response.write(bytes.subarray(0, 7))
    response.write(bytes.subarray(7))
  }
  if (ending === 'end') response.end()
  if (ending === 'reset') response.socket?.resetAndDestroy()
}
