import type { FastifyInstance, HTTPMethods, RouteOptions } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Operation } from '../contract/index.ts'
import { sendFault } from './faults.ts'

type Route = Pick<RouteOptions, 'handler' | 'onRequest' | 'attachValidation'>

/** Mounts an operation of the contract: its address, its validation and its serialisation. */
export function registerOperation(
  server: FastifyInstance,
  operation: Operation,
  route: Route,
): void {
  server.route({
    method: operation.method.toUpperCase(),
    url: toRoutePath(operation.path),
    schema: {
      ...(operation.params && { params: operation.params }),
      ...(operation.query && { querystring: operation.query }),
      ...(operation.body && { body: operation.body.schema }),
      response: describeResponses(operation),
    },
    ...route,
  })
}

/** A known address with another method is told what it takes. */
export function refuseOtherMethods(
  server: FastifyInstance,
  operations: readonly Operation[],
): void {
  const byPath = Map.groupBy(operations, (operation) => operation.path)
  for (const [path, known] of byPath) {
    const allowed = known.map(({ method }) => method.toUpperCase())
    if (allowed.includes('GET')) allowed.push('HEAD')
    const allow = allowed.join(', ')
    server.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: toRoutePath(path),
      // Refused before any body is read.
      onRequest: async (_request, reply) => {
        reply.header('allow', allow)
        return sendFault(reply, new Fault('method_not_allowed', `This address takes ${allow}.`))
      },
      handler: () => {},
    })
  }
}

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

function toRoutePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Fastify compiles a serialiser from each: what the contract does not name is not sent. */
function describeResponses({ replies }: Operation): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const [status, { content }] of Object.entries(replies)) {
    const json = content.find(({ type }) => type === 'application/json')
    if (json) described[status] = json.schema
  }
  return described
}
