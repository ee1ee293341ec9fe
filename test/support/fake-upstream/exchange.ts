import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from './clock.ts'
import type { ChatBody, Ending, RecordedRequest } from './request.ts'

/** One request with its answer under way. */
export interface Exchange {
  readonly record: RecordedRequest
  readonly response: ServerResponse
  /** Fulfilled when nothing more can be written, whoever closed. */
  readonly closed: Promise<void>
  isClosed(): boolean
  countDeltas(count: number): void
  countBytes(count: number): void
  /** Resolves once the network takes more, or the exchange is closed. */
  write(bytes: Buffer): Promise<void>
  /** Ends the connection without ending the body, as our own doing. */
  breakOff(how: 'reset' | 'cut'): void
}

export function createExchange(
  request: IncomingMessage,
  response: ServerResponse,
  body: ChatBody,
  clock: Clock,
): Exchange {
  const aborted = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Ending>()
  const closed = Promise.withResolvers<void>()
  const record = {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    receivedAtMs: clock.now(),
    aborted: aborted.promise,
    ended: ended.promise,
    finished: false,
    bytesWritten: 0,
    deltasWritten: 0,
  }
  let brokenOff = false

  response.once('close', () => {
    record.finished = response.writableFinished && !brokenOff
    const ending = nameEnding(record.finished, brokenOff)
    if (ending === 'client-left') aborted.resolve()
    ended.resolve(ending)
    closed.resolve()
  })

  return {
    record,
    response,
    closed: closed.promise,
    isClosed: () => response.closed || response.destroyed,
    countDeltas: (count) => {
      record.deltasWritten += count
    },
    countBytes: (count) => {
      record.bytesWritten += count
    },
    write: async (bytes) => {
      record.bytesWritten += bytes.length
      if (!response.write(bytes)) await waitForRoom(response)
    },
    breakOff: (how) => {
      brokenOff = true
      if (how === 'reset') request.socket.resetAndDestroy()
      else request.socket.destroy()
    },
  }
}

function nameEnding(finished: boolean, brokenOff: boolean): Ending {
  if (finished) return 'finished'
  return brokenOff ? 'broken-off' : 'client-left'
}

async function waitForRoom(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.once('drain', resolve)
  response.once('close', resolve)
  await promise
  response.off('drain', resolve)
  response.off('close', resolve)
}
