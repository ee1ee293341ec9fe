import { createServer, type ServerResponse } from 'node:http'
import { Pool } from 'undici'
import type { UpstreamUrls } from './upstream-process.ts'

/** Hands on what comes, either way, by the same means as Parley: the least that a relay on Node costs. */
const { PORT, UPSTREAMS = '{}' } = process.env
const urls = JSON.parse(UPSTREAMS) as UpstreamUrls
const pools = new Map(
  Object.entries(urls).map(([model, url]) => [
    `/${model}`,
    { pool: new Pool(new URL(url).origin), path: `${new URL(url).pathname}/chat/completions` },
  ]),
)

createServer((request, response) => {
  const upstream = pools.get(request.url ?? '')
  if (!upstream) return void response.writeHead(404).end()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const headers = { 'content-type': 'application/json' }
    const body = Buffer.concat(chunks)
    upstream.pool.dispatch(
      { path: upstream.path, method: 'POST', headers, body },
      handOnTo(response),
    )
  })
}).listen(Number(PORT), '127.0.0.1', 4_096)

function handOnTo(response: ServerResponse) {
  return {
    onRequestStart() {},
    onResponseStart(_controller: unknown, status: number, headers: Record<string, unknown>) {
      response.writeHead(status, { 'content-type': String(headers['content-type']) })
    },
    onResponseData: (_controller: unknown, chunk: Buffer) => void response.write(chunk),
    onResponseEnd: () => void response.end(),
    onResponseError: () => void response.destroy(),
  }
}
