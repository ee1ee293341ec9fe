import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the hub does with a request, instead of sending what was asked for. */
export interface Deed {
  /** Cuts the connection when the one who asked has so many bytes, as `received` tells. */
  readonly cutAfter?: number
  /** Goes on, but never ends, when it has sent so many bytes. */
  readonly stallAfter?: number
  readonly status?: number
  readonly location?: string
  readonly ignoresRange?: true
  readonly ignoresIfRange?: true
  readonly withoutLength?: true
  readonly headers?: Readonly<Record<string, string>>
}

export interface Hub {
  readonly origin: string
  readonly url: string
  /** What it has at every path. */
  content: Buffer
  etag: string | undefined
  /** For the GET requests to come, one each; then it simply sends. */
  deeds: Deed[]
  /** The answer to every HEAD. */
  head: Deed
  readonly requests: {
    readonly method: string
    readonly path: string
    readonly range: string | undefined
    readonly ifRange: string | undefined
  }[]
  /** How much of the file they have. */
  received(bytes: number): void
}

/** Connections that are cut when the one who asked has so much of the file. */
type Cuts = Map<number, ServerResponse>

/** A real server that plays the hub: ranges, marks, and all that goes wrong. */
export async function startHub(
  t: { after(end: () => Promise<void>): void },
  content: Buffer,
): Promise<Hub> {
  const cuts: Cuts = new Map()
  const server = createServer((request, response) => answer(hub, request, response, cuts))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hub: Hub = {
    origin,
    url: `${origin}/tiny.gguf`,
    content,
    etag: '"one"',
    deeds: [],
    head: {},
    requests: [],
    received(bytes) {
      for (const [at, response] of cuts) {
        if (bytes < at) continue
        cuts.delete(at)
        response.destroy()
      }
    },
  }
  return hub
}

function answer(hub: Hub, request: IncomingMessage, response: ServerResponse, cuts: Cuts): void {
  const { range, 'if-range': ifRange } = request.headers
  const method = request.method ?? ''
  hub.requests.push({
    method,
    path: request.url ?? '',
    range,
    ifRange: ifRange as string | undefined,
  })
  const deed = method === 'HEAD' ? hub.head : (hub.deeds.shift() ?? {})
  const { status, location, headers = {} } = deed
  if (status !== undefined) {
    response.writeHead(status, { ...headers, ...(location !== undefined && { location }) }).end()
    return
  }
  const isSame = ifRange === undefined || ifRange === hub.etag || deed.ignoresIfRange === true
  const from =
    deed.ignoresRange || !isSame ? 0 : Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
  const { length } = hub.content
  if (from > 0 && from >= length) {
    response.writeHead(416, { 'content-range': `bytes */${length}` }).end()
    return
  }
  const rest = hub.content.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, {
    ...(hub.etag !== undefined && { etag: hub.etag }),
    ...(!deed.withoutLength && { 'content-length': rest.length }),
    ...(from > 0 && { 'content-range': `bytes ${from}-${length - 1}/${length}` }),
    ...headers,
  })
  if (method === 'HEAD') return void response.end()
  const { cutAfter, stallAfter } = deed
  const after = cutAfter ?? stallAfter
  if (after === undefined) return void response.end(rest)
  if (cutAfter !== undefined) cuts.set(from + cutAfter, response)
  response.write(rest.subarray(0, after))
}
