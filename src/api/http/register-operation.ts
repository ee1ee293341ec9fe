import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { writeDeprecationHeaders, type Deprecation, type Operation } from '../contract/index.ts'

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

interface Route extends Pick<RouteOptions, 'handler' | 'preHandler' | 'attachValidation'> {
  readonly onRequest?: Hook
}

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
    onRequest: listHooks(operation, route),
  })
}

/** Its refusals say that it is deprecated, too. */
function listHooks({ deprecation }: Operation, { onRequest }: Route): Hook[] {
  return [...(deprecation ? [createWarning(deprecation)] : []), ...(onRequest ? [onRequest] : [])]
}

function createWarning(deprecation: Deprecation): Hook {
  const { link, ...headers } = writeDeprecationHeaders(deprecation)
  return async function warn(_request, reply) {
    const others = reply.getHeader('link')
    reply.headers({ ...headers, link: others === undefined ? link : `${String(others)}, ${link}` })
  }
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
