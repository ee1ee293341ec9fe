import type { FastifyInstance } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Operation } from '../contract/index.ts'
import { sendFault } from './faults.ts'

/**
 * Answers what no operation takes, before any body is read: a known address with another method is
 * told what it takes, any other address that there is nothing.
 */
export function refuseUnrouted(server: FastifyInstance, operations: readonly Operation[]): void {
  const addresses = [...Map.groupBy(operations, ({ path }) => path)].map(([path, known]) => ({
    pattern: toPattern(path),
    allow: listMethods(known),
  }))
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] ?? ''
    const known = addresses.find(({ pattern }) => pattern.test(path))
    if (!known) throw new Fault('not_found', 'There is nothing at this address.')
    reply.header('allow', known.allow)
    sendFault(reply, new Fault('method_not_allowed', `This address takes ${known.allow}.`))
    return reply
  })
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** A GET is answered to a HEAD as well. */
function listMethods(operations: readonly Operation[]): string {
  const methods = operations.map(({ method }) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
}
