import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Operation } from '../contract/index.ts'

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
