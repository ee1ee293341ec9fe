import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/** What one open page is told, until it goes or is told that it must. */
export interface StandingStream {
  standing(text: string): void
  /** The session is over: the page must not go on, and not come back by itself. */
  signedOut(): void
  end(): void
  /** Called back at once where it is over already. */
  onEnd(callback: () => void): void
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // nginx would hold the stream back otherwise.
  'x-accel-buffering': 'no',
}

const KEEP_ALIVE_MS = 15_000
/** A page that leaves so much untaken comes back for what is true then. */
const MAX_WAITING_BYTES = 64 * 1024

/** Begins to answer with events. */
export function createStandingStream(
  reply: FastifyReply,
  keepAliveMs = KEEP_ALIVE_MS,
): StandingStream {
  const { raw } = reply
  reply.hijack()
  // A hijacked reply sends nothing of itself: what was set on it goes along by hand.
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...STREAM_HEADERS })
  raw.write('retry: 3000\n\n')
  function send(text: string): void {
    if (raw.writableEnded || raw.destroyed) return
    if (raw.writableLength > MAX_WAITING_BYTES) return void raw.destroy()
    raw.write(text)
  }

  const timer = setInterval(() => send(': keep-alive\n\n'), keepAliveMs).unref()
  const stream: StandingStream = {
    standing: (text) => send(`event: standing\ndata: ${text}\n\n`),
    signedOut() {
      send('event: signed_out\ndata: {}\n\n')
      raw.end()
    },
    end: () => void raw.end(),
    onEnd(callback) {
      if (raw.closed) callback()
      else raw.once('close', callback)
    },
  }
  stream.onEnd(() => clearInterval(timer))
  return stream
}

/** Who has how many streams open: beyond the bound a person's oldest gives way. */
export function createOpenStreams(maxOfOne: number) {
  const open = new Map<string, Set<StandingStream>>()
  return {
    add(personId: string, stream: StandingStream): void {
      const theirs = open.get(personId) ?? new Set()
      open.set(personId, theirs)
      theirs.add(stream)
      const [oldest] = theirs
      if (oldest && theirs.size > maxOfOne) {
        theirs.delete(oldest)
        oldest.end()
      }
      stream.onEnd(() => {
        theirs.delete(stream)
        if (theirs.size === 0 && open.get(personId) === theirs) open.delete(personId)
      })
    },
    endAll(): void {
      for (const theirs of open.values()) for (const stream of theirs) stream.end()
    },
  }
}
