import { once } from 'node:events'
import { request as forward, type IncomingMessage } from 'node:http'
import { createServer, request as ask } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Scope } from '../service.ts'
import { SELF_SIGNED } from '../self-signed.ts'

/** What ends TLS before a service, as most have it. */
export interface TlsProxy {
  /** "https://localhost:…". */
  readonly origin: string
  /** Where it forwards to; it must be told before the first request. */
  forwardTo(origin: string): void
}

export async function startTlsProxy(scope: Scope): Promise<TlsProxy> {
  let target = 'http://127.0.0.1:9'
  const server = createServer(SELF_SIGNED, (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https' }
    const options = { method: incoming.method, headers }
    const forwarded = forward(new URL(incoming.url ?? '/', target), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      pipeline(answer, outgoing, () => {})
    })
    forwarded.on('error', () => outgoing.destroy())
    pipeline(incoming, forwarded, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://localhost:${port}`,
    forwardTo(origin) {
      target = origin
    },
  }
}

/** `fetch` for that proxy: the certificate is trusted, and no redirect is followed. */
export async function fetchSelfSigned(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const sent = new Request(input, init)
  const request = ask(sent.url, {
    ca: SELF_SIGNED.cert,
    host: '127.0.0.1',
    servername: 'localhost',
    agent: false,
    method: sent.method,
    headers: { host: new URL(sent.url).host, ...Object.fromEntries(sent.headers) },
  })
  request.end(Buffer.from(await sent.arrayBuffer()))
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const body = await buffer(Readable.from(answer))
  const status = answer.statusCode ?? 0
  return new Response([204, 304].includes(status) ? null : body, { status, headers })
}
