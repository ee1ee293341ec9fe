import type { FastifyInstance } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Operation } from '../contract/index.ts'
import { sendFault, type PresentFault } from './faults.ts'

/** A part of the addresses whose readers are told in another way that there is nothing. */
export interface UnroutedPlace {
  has(path: string): boolean
  readonly presentFault: PresentFault
}

/**
 * Answers what no operation takes, before any body is read: a known address with another method is
 * told what it takes, any other address that there is nothing.
 */
export function refuseUnrouted(
  server: FastifyInstance,
  operations: readonly Operation[],
  pages: UnroutedPlace,
): void {
  const addresses = [...Map.groupBy(operations, ({ path }) => path)].map(([path, known]) => ({
    pattern: toPattern(path),
    allow: listMethods(known),
  }))
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = request.url.split('?', 1)[0] ?? ''
    const known = addresses.find(({ pattern }) => pattern.test(path))
    if (known) {
      reply.header('allow', known.allow)
      return sendFault(reply, new Fault('method_not_allowed', `This address takes ${known.allow}.`))
    }
    const presentFault = pages.has(path) ? pages.presentFault : undefined
    return sendFault(
      reply,
      new Fault('not_found', 'There is nothing at this address.'),
      presentFault,
    )
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
