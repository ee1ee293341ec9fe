import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#platform/log.ts'
import type { HttpBounds } from './bounds.ts'

/** A flood must not flood the log as well. */
const SAY_AGAIN_MS = 60_000

type ConnectionBounds = Pick<HttpBounds, 'maxConnections' | 'maxUnanswered' | 'maxHeaders'>

/** Bounds how many connections there are, and what each of them may ask for at once. */
export function boundConnections(server: Server, bounds: ConnectionBounds, log: Log): void {
  server.maxConnections = bounds.maxConnections
  // Node refuses what is far beyond this, and leaves out without a word what is a little beyond it:
  // one more tells us that there were too many.
  server.maxHeadersCount = bounds.maxHeaders + 1
  const waiting = boundUnanswered(server, bounds.maxUnanswered)
  makeRoomWhenFull(server, waiting, log)
}

/** What comes beyond the bound is closed; for each, the connection that waited longest gives way. */
function makeRoomWhenFull(server: Server, waiting: ReadonlySet<Socket>, log: Log): void {
  let dropped = 0
  let saidAtMs = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    const [longest] = waiting
    longest?.destroy()
    dropped += 1
    const nowMs = performance.now()
    if (nowMs - saidAtMs < SAY_AGAIN_MS) return
    log.warn({ dropped }, 'too many connections: new ones are closed')
    saidAtMs = nowMs
    dropped = 0
  })
}

/**
 * Node begins every request of a pipeline when it has read it, and keeps the answers until their turn
 * comes. A client that asks a thousand times and reads nothing would have us hold a thousand of them.
 *
 * Returns the connections that wait between two requests. Node's own closeIdleConnections takes one
 * for idle as soon as its answer is written, though its client may not have the end of it.
 */
function boundUnanswered(server: Server, maxUnanswered: number): ReadonlySet<Socket> {
  const counts = new WeakMap<Socket, number>()
  const waiting = new Set<Socket>()
  server.on('connection', (socket) => {
    socket.once('close', () => waiting.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    waiting.delete(socket)
    response.once('close', () => {
      const left = (counts.get(socket) ?? 1) - 1
      counts.set(socket, left)
      if (left === 0 && !socket.destroyed) waiting.add(socket)
    })
    if (count > maxUnanswered) socket.destroy()
  })
  return waiting
}
