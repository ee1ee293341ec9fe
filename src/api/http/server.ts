import type { IncomingMessage, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { createId } from '#platform/ids.ts'
import { findProblems, describeProblem, type JsonSchema } from '#platform/schema/index.ts'
import { Fault } from '#platform/fault.ts'
import { sendFault, toFault } from './faults.ts'
import { readJsonBody } from './read-json-body.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'

/** An absurd brand is still answered as an unknown brand. */
const MAX_PARAM_LENGTH = 8 * 1024

/** For a whole request, its body included, to arrive. */
const REQUEST_TIMEOUT_MS = 120_000

declare module 'fastify' {
  interface FastifyRequest {
    /** Epoch milliseconds and the monotonic clock's, when the request arrived. */
    arrivedAtMs: number
    arrivedMonotonicMs: number
    /** The Content-Type that it came with. */
    sentType: string | undefined
    /** The code of the fault that it was answered with, for the log. */
    faultCode: string | undefined
  }
}

export interface ServerOptions {
  readonly log: Log
  readonly nowMs: () => number
  readonly serviceDocUrl: string
}

/** The HTTP server that all surfaces are mounted on: ids, logs, bodies, validation and faults. */
export function createServer({ log, nowMs, serviceDocUrl }: ServerOptions): FastifyInstance {
  const server = fastify({
    logger: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // A caller's own id is not taken over: ours must be unique.
    requestIdHeader: false,
    // A request that trickles in must not hold a socket for ever.
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: () => createId('req'),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    // Without a Host, Node would answer in words of its own.
    http: { requireHostHeader: false },
    rewriteUrl: toOriginForm,
    // Hooks do not run for these: an address that cannot be read.
    frameworkErrors(error, request, reply) {
      introduce(request, reply)
      sendFault(reply, toFault(error))
    },
  })
  const serviceDoc = `<${serviceDocUrl}>; rel="service-doc"`

  function introduce(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/v1')) reply.header('link', serviceDoc)
  }

  server.decorateRequest('arrivedAtMs', 0)
  server.decorateRequest('arrivedMonotonicMs', 0)
  server.decorateRequest('sentType', undefined)
  server.decorateRequest('faultCode', undefined)
  server.addHook('onRequest', (request, reply, done) => {
    request.arrivedAtMs = nowMs()
    request.arrivedMonotonicMs = performance.now()
    introduce(request, reply)
    keepTypeAside(request)
    if (hasHost(request.raw)) return done()
    reply.header('connection', 'close')
    done(new Fault('invalid_request', 'body: the request has no Host'))
  })
  // What a client expects beyond what we know is passed over (RFC 9110, 10.1.1 allows it).
  server.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.server.emit('request', request, response),
  )
  logRequests(server, log)
  answerErrors(server, log)
  server.setValidatorCompiler(
    ({ schema }) =>
      (value: unknown) =>
        validate(schema, value),
  )
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', readJsonBody)
  return server
}

/** "http://host/path" asks for the same as "/path" (RFC 9112, 3.2.2). */
function toOriginForm({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]+/i, '')
}

/** HTTP/1.1 demands it; before that there was none. */
function hasHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host !== undefined || httpVersion === '1.0'
}

/** One line a request: figures and names, never content. */
function logRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onResponse', (request, reply, done) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        code: request.faultCode,
        duration_ms: Math.round(performance.now() - request.arrivedMonotonicMs),
      },
      'request',
    )
    done()
  })
}

function answerErrors(server: FastifyInstance, log: Log): void {
  server.setErrorHandler((error, request, reply) => {
    const fault = toFault(error)
    if (fault.code === 'internal_error') {
      log.error({ request_id: request.id, error: describeError(error) }, 'unexpected failure')
    } else if (fault.reason !== undefined) {
      log.warn({ request_id: request.id, code: fault.code, reason: fault.reason }, 'refused')
    }
    return sendFault(reply, fault)
  })
}

/**
 * Fastify refuses a Content-Type that it cannot read before anyone could count the request. So the
 * type that came is judged by our own reader of bodies, and Fastify sees one that it knows.
 */
function keepTypeAside(request: FastifyRequest): void {
  const { headers } = request.raw
  request.sentType = headers['content-type']
  headers['content-type'] = 'application/json'
}

function validate(schema: unknown, value: unknown): { value: unknown } | { error: Error } {
  // A body that could not be read is a fault already.
  if (value instanceof Fault) return { error: value }
  const [problem] = findProblems(schema as JsonSchema, value, 1)
  if (!problem) return { value }
  return { error: new Fault('invalid_request', describeProblem(problem)) }
}
