import { get, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { OwnStanding } from '#api/contract/index.ts'
import type { ConsolePerson } from './console-person.ts'

export interface OpenedStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The next event that has not been taken yet. */
  next(): Promise<StreamEvent>
  /** How many have come that were not taken. */
  waiting(): number
  /** Signs of life so far. */
  readonly comments: string[]
  readonly retries: number[]
  /** Resolves when the service has ended it. */
  readonly ended: Promise<void>
  /** Reads nothing from here on. */
  pause(): void
  close(): void
}

interface StreamEvent {
  readonly event: string | undefined
  readonly standing: OwnStanding
}

/** Opens a stream of an account's standing as a page does. */
export async function openStream(
  { service, session }: ConsolePerson,
  accountId: string,
): Promise<OpenedStream> {
  const url = `${service.origin}/console/api/accounts/${accountId}/events`
  const request: ClientRequest = get(url, { headers: session, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  )
  const events: StreamEvent[] = []
  const comments: string[] = []
  const retries: number[] = []
  let arrived = Promise.withResolvers<void>()
  const parser = createParser({
    onEvent({ event, data }) {
      events.push({ event, standing: JSON.parse(data) as OwnStanding })
      arrived.resolve()
      arrived = Promise.withResolvers()
    },
    onComment: (comment) => void comments.push(comment),
    onRetry: (ms) => void retries.push(ms),
  })
  const ended = new Promise<void>((resolve) => {
    response.once('close', resolve)
  })
  response.setEncoding('utf8').on('data', (text: string) => parser.feed(text))
  response.on('error', () => {})
  request.on('error', () => {})
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    comments,
    retries,
    ended,
    waiting: () => events.length,
    async next() {
      for (;;) {
        const first = events.shift()
        if (first) return first
        await arrived.promise
      }
    },
    pause: () => void response.pause(),
    close: () => request.destroy(),
  }
}
