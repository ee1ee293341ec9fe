import type { FastifyInstance } from 'fastify'

/**
 * While the service drains, each answer ends its connection: a load balancer that keeps some has none left
 * by the time that we close them, when a request could be on its way on one.
 *
 * GET /up says so at the port where requests come in, for load balancers that ask no other. It tells of
 * nothing else: a store that is away is away for all replicas, and one that answers says more than none.
 */
export function letGoWhenDraining(server: FastifyInstance, isDraining: () => boolean): void {
  server.addHook('onRequest', (_request, reply, done) => {
    if (isDraining()) reply.raw.shouldKeepAlive = false
    done()
  })
  // Asked again and again: no line in the log.
  server.get('/up', { logLevel: 'silent' }, (_request, reply) => {
    const [status, text] = isDraining() ? [503, 'draining\n'] : [200, 'up\n']
    return reply
      .code(status)
      .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
      .send(text)
  })
}
