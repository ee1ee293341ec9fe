import type { IncomingMessage, ServerOptions as HttpOptions, ServerResponse } from 'node:http'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'
import { createId } from '#platform/ids.ts'
import { findProblems, describeProblem, type JsonSchema } from '#platform/schema/index.ts'
import { Fault } from '#platform/fault.ts'
import { createShares } from '#platform/shares.ts'
import { boundConnections } from './bound-connections.ts'
import { DEFAULT_HTTP_BOUNDS, type HttpBounds } from './bounds.ts'
import { breakOffStalled } from './break-off-stalled.ts'
import { sendFault, toFault } from './faults.ts'
import { letGoWhenDraining } from './let-go-when-draining.ts'
import { lingerBeforeClose } from './linger-before-close.ts'
import { createJsonBodyReader } from './read-json-body.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { guardPages, listSecurityHeaders } from './security-headers.ts'

/** An absurd brand is still answered as an unknown brand. */
const MAX_PARAM_LENGTH = 8 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Epoch milliseconds and the monotonic clock's, when the request arrived. */
    arrivedAtMs: number
    arrivedMonotonicMs: number
    /** The Content-Type that it came with. */
    sentType: string | undefined
    /** Whose request it is, once that is known: what there is only so much of is shared by it. */
    caller: string
    /** What its body has taken of the room for bodies. */
    heldBytes: number
    /** The fault that it was answered with, for the log. */
    faultCode: string | undefined
    faultReason: string | undefined
    /** The trace that it is part of, where it is traced, for the log. */
    traceId: string | undefined
  }
}

export interface ServerOptions {
  readonly log: Log
  readonly nowMs: () => number
  /** How browsers reach the service, e.g. "https://api.example.com". */
  readonly origin: string
  /** Whose word on who called is taken. */
  readonly trustedProxies?: readonly string[]
  readonly bounds?: Partial<HttpBounds>
  /** Whether load balancers are told to send no more requests. */
  readonly isDraining?: () => boolean
}

/** The HTTP server that all surfaces are mounted on: ids, logs, bodies, validation and faults. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, nowMs, origin, trustedProxies = [], isDraining = () => false } = options
  const bounds = { ...DEFAULT_HTTP_BOUNDS, ...options.bounds }
  const introduce = createIntroduction(origin)
  const server = fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // A caller's own id is not taken over: ours must be unique.
    requestIdHeader: false,
    requestTimeout: bounds.requestTimeoutMs,
    keepAliveTimeout: bounds.idleTimeoutMs,
    genReqId: () => createId('req'),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    http: listHttpOptions(bounds),
    rewriteUrl: toOriginForm,
    // Hooks do not run for these: an address that cannot be read.
    frameworkErrors(error, request, reply) {
      introduce(request, reply)
      sendFault(reply, toFault(error))
    },
  })
  decorateRequests(server)
  server.addHook('onRequest', (request, reply, done) => {
    request.arrivedAtMs = nowMs()
    request.arrivedMonotonicMs = performance.now()
    reply.raw.once('close', () => logRequest(log, request, reply))
    introduce(request, reply)
    keepTypeAside(request)
    const problem = findHeadProblem(request.raw, bounds.maxHeaders)
    if (problem === undefined) return done()
    reply.header('connection', 'close')
    done(new Fault('invalid_request', `body: ${problem}`))
  })
  // What a client expects beyond what we know is passed over (RFC 9110, 10.1.1 allows it).
  server.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.server.emit('request', request, response),
  )
  boundConnections(server.server, bounds, log)
  breakOffStalled(server.server, bounds.stallTimeoutMs)
  lingerBeforeClose(server, bounds.lingerMs)
  letGoWhenDraining(server, isDraining)
  guardPages(server)
  answerErrors(server, log)
  server.setValidatorCompiler(
    ({ schema }) =>
      (value: unknown) =>
        validate(schema, value),
  )
  readBodies(server, bounds)
  return server
}

/** Puts on a reply what every one of them has. */
function createIntroduction(origin: string) {
  const serviceDoc = `<${origin}/docs/versioning>; rel="service-doc"`
  const securityHeaders = listSecurityHeaders(origin)
  return function introduce(request: FastifyRequest, reply: FastifyReply): void {
    reply.header('x-request-id', request.id)
    reply.headers(securityHeaders)
    if (request.url.startsWith('/v1')) reply.header('link', serviceDoc)
  }
}

function decorateRequests(server: FastifyInstance): void {
  server.decorateRequest('arrivedAtMs', 0)
  server.decorateRequest('arrivedMonotonicMs', 0)
  server.decorateRequest('sentType', undefined)
  server.decorateRequest('caller', '')
  server.decorateRequest('heldBytes', 0)
  server.decorateRequest('faultCode', undefined)
  server.decorateRequest('faultReason', undefined)
  server.decorateRequest('traceId', undefined)
}

function listHttpOptions(bounds: HttpBounds): HttpOptions {
  return {
    // Without a Host, Node would answer in words of its own.
    requireHostHeader: false,
    maxHeaderSize: bounds.maxHeadBytes,
    headersTimeout: bounds.headTimeoutMs,
    requestTimeout: bounds.requestTimeoutMs,
    connectionsCheckingInterval: bounds.checkEveryMs,
  }
}

/** What bodies take of the room for them they keep until their request is answered. */
function readBodies(server: FastifyInstance, bounds: HttpBounds): void {
  const room = createShares({ total: bounds.maxHeldBytes, each: bounds.maxHeldBytesOfOne })
  server.addHook('preParsing', (request, reply, payload, done) => {
    reply.raw.once('close', () => room.give(request.caller, request.heldBytes))
    done(null, payload)
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', createJsonBodyReader(room))
}

/** "http://host/path" asks for the same as "/path" (RFC 9112, 3.2.2). */
function toOriginForm({ url = '/' }: { readonly url?: string | undefined }): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]+/i, '')
}

function findHeadProblem(
  { headers, rawHeaders, httpVersion }: IncomingMessage,
  maxHeaders: number,
): string | undefined {
  // HTTP/1.1 demands it; before that there was none.
  if (headers.host === undefined && httpVersion !== '1.0') return 'the request has no Host'
  // Names and values take turns.
  if (rawHeaders.length > 2 * maxHeaders) return 'the request has too many headers'
  return undefined
}

/**
 * One line a request: figures and names of ours, never content nor any text of the caller's. Written when
 * its connection is done with it, for who leaves before the end has no answer to write it after.
 */
function logRequest(log: Log, request: FastifyRequest, { raw, statusCode }: FastifyReply): void {
  if (request.routeOptions.logLevel === 'silent') return
  const { faultReason } = request
  const fields = {
    request_id: request.id,
    trace_id: request.traceId,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: raw.headersSent ? statusCode : null,
    client_left: raw.writableFinished ? undefined : true,
    code: request.faultCode,
    reason: faultReason,
    duration_ms: Math.round(performance.now() - request.arrivedMonotonicMs),
  }
  if (faultReason === undefined) log.info(fields, 'request')
  else log.warn(fields, 'request')
}

function answerErrors(server: FastifyInstance, log: Log): void {
  server.setErrorHandler((error, request, reply) => {
    const fault = toFault(error)
    if (fault.code === 'internal_error') {
      log.error({ request_id: request.id, error: describeError(error) }, 'unexpected failure')
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
