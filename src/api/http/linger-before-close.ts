import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * A connection that is closed while its client still sends is reset, and the reset can overtake our
 * answer (RFC 9112, 9.6). Where the connection ends with the answer, what is left of the body is
 * therefore read for nothing first, for so long at most.
 */
export function lingerBeforeClose(server: FastifyInstance, lingerMs: number): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request
    if (raw.complete || raw.destroyed || !closesAfter(reply)) return done(null, payload)
    awaitEnd(raw, lingerMs, () => done(null, payload))
  })
}

function closesAfter(reply: FastifyReply): boolean {
  return !reply.raw.shouldKeepAlive || reply.getHeader('connection') === 'close'
}

function awaitEnd(body: Readable, limitMs: number, callback: () => void): void {
  let isOver = false
  function end(): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    callback()
  }
  const timer = setTimeout(end, limitMs)
  finished(body, { writable: false }, end)
  body.resume()
}
