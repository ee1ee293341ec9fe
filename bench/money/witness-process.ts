import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../chat/child.ts'
import { encodeStream, PAUSE_MS, readMark, WORD } from './reply.ts'

export type WitnessQuestion = { readonly ask: 'url' } | { readonly ask: 'account' }

/** The upstream's own account since it was last asked for. */
export interface Account {
  /** How many tokens it wrote, by the request's number. */
  readonly sent: Readonly<Record<number, number>>
  /** Replies that have not ended. */
  readonly underWay: number
}

const stream = encodeStream()
const sent = new Map<number, number>()
let underWay = 0

answerParent(async ({ ask }: WitnessQuestion): Promise<string | Account> => {
  if (ask === 'url') return startUpstream()
  return { sent: Object.fromEntries(sent), underWay }
})

/** Writes a token at a time, and writes down that it did. */
async function startUpstream(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const mark = readMark(Buffer.concat(chunks).toString())
      if (mark) return answer(response, mark.number, mark.breaksAfter || Infinity)
      response.writeHead(404).end()
    })
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1', 4_096)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answer(response: ServerResponse, number: number, breaksAfter: number): void {
  underWay += 1
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let [place, tokens] = [0, 0]
  const timer = setInterval(() => {
    const chunk = stream[place++]
    if (!chunk) return void response.end()
    if (tokens >= breaksAfter) return void response.destroy()
    response.write(chunk)
    if (!chunk.includes(WORD)) return
    tokens += 1
    sent.set(number, (sent.get(number) ?? 0) + 1)
  }, PAUSE_MS)
  response.on('close', () => {
    clearInterval(timer)
    underWay -= 1
  })
}
