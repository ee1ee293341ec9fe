import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../chat/child.ts'
import { encodeStream, encodeWhole, PAUSES_MS, stamp, type ModelName } from './workloads.ts'

/** The address of each model's upstream; ends in `/v1`. */
export type UpstreamUrls = Readonly<Record<ModelName, string>>

const whole = encodeWhole()
const stream = encodeStream()
/** Bodies are written by JSON.stringify, here and by every contestant. */
const STREAM_FLAG = /"stream": ?true/

answerParent(async (): Promise<UpstreamUrls> => {
  const urls = Object.entries(PAUSES_MS).map(async ([model, pauseMs]) => [
    model,
    await startUpstream(pauseMs),
  ])
  return Object.fromEntries(await Promise.all(urls))
})

/** Answers at once, with the same bytes but for the time: what is measured is who stands before it. */
async function startUpstream(pauseMs: number): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // The flag stands at one of the body's ends, and a megabyte is not looked through for it.
      const [first = Buffer.alloc(0), last = first] = [chunks[0], chunks.at(-1)]
      const ends = first.toString('latin1', 0, 300) + last.toString('latin1', last.length - 300)
      if (STREAM_FLAG.test(ends)) return answerStream(response, pauseMs)
      const length = String(whole.length)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
      response.end(whole)
    })
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function answerStream(response: ServerResponse, pauseMs: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (pauseMs === 0) {
    for (const chunk of stream) response.write(stamp(chunk))
    response.end()
    return
  }
  let place = 0
  const timer = setInterval(() => {
    const chunk = stream[place++]
    if (chunk) return void response.write(stamp(chunk))
    clearInterval(timer)
    response.end()
  }, pauseMs)
  response.on('close', () => clearInterval(timer))
}
