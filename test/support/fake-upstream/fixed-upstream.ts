import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonHeaders, streamHeaders } from './answer.ts'

/** An upstream for benchmarks: the same bytes to every request, nothing parsed, nothing kept. */
export interface FixedUpstream {
  /** Ends in `/v1`. */
  readonly url: string
  close(): Promise<void>
}

export interface FixedReplies {
  readonly json: Buffer
  /** One write each; the first goes out at once. */
  readonly sse: readonly Buffer[]
  /** Between two writes. Default: 0, all at once. */
  readonly sseDelayMs?: number
}

/** Clients write bodies with JSON.stringify, so text in a prompt cannot look like this. */
const streamFlag = Buffer.from('"stream":true')

export async function startFixedUpstream(replies: FixedReplies): Promise<FixedUpstream> {
  const { json, sse, sseDelayMs = 0 } = replies
  const headers = { ...jsonHeaders, 'content-length': String(json.length) }

  const server = createServer((request, response) => {
    let body: Buffer | undefined
    request.on('data', (chunk: Buffer) => {
      body = body === undefined ? chunk : Buffer.concat([body, chunk])
    })
    request.on('end', () => {
      if (body?.includes(streamFlag) === true) {
        response.writeHead(200, streamHeaders)
        writeFrom(response, sse, 0, sseDelayMs)
      } else {
        response.writeHead(200, headers)
        response.end(json)
      }
    })
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function writeFrom(
  response: ServerResponse,
  sse: readonly Buffer[],
  start: number,
  delayMs: number,
): void {
  for (let next = start; next < sse.length; next += 1) {
    if (response.destroyed) return
    response.write(sse[next])
    if (delayMs > 0 && next + 1 < sse.length) {
      setTimeout(writeFrom, delayMs, response, sse, next + 1, delayMs)
      return
    }
  }
  response.end()
}
