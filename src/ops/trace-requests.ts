import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isBrand } from '#models/index.ts'
import { failSpan } from './run-in-span.ts'

/** Public and of the console's playground. */
const CHAT_ROUTE = /\/chat\/:brand$/

/**
 * Gives each chat request a span, from its head to the end of its answer, which continues the caller's
 * trace; what is done for it is done within.
 */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, Context>()

  server.addHook('onRequest', (request, reply, done) => {
    if (!CHAT_ROUTE.test(request.routeOptions.url ?? '')) return done()
    const caller = readCallersTrace(request)
    const span = startRequestSpan(tracer, request, caller)
    spans.set(request, trace.setSpan(caller, span))
    request.traceId = span.spanContext().traceId
    reply.raw.once('close', () => endRequestSpan(span, request, reply))
    done()
  })

  // The last step before the handler, which runs in what runs here: reading a body loses it.
  server.addHook('preHandler', (request, _reply, done) => {
    const own = spans.get(request)
    if (own) context.with(own, done)
    else done()
  })
}

/**
 * Of what a caller sends only the two headers of W3C Trace Context are read, whatever else the SDK could
 * read: baggage is a caller's text, and would be passed on to the upstream.
 */
function readCallersTrace({ headers }: FastifyRequest): Context {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return ROOT_CONTEXT
  return propagation.extract(ROOT_CONTEXT, {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
  })
}

function startRequestSpan(tracer: Tracer, request: FastifyRequest, caller: Context): Span {
  const { method, id } = request
  const { url: route = '' } = request.routeOptions
  const { brand } = (request.params ?? {}) as { readonly brand?: unknown }
  const attributes = {
    'http.request.method': method,
    'http.route': route,
    'parley.request_id': id,
    ...(typeof brand === 'string' && isBrand(brand) && { 'parley.brand': brand }),
  }
  return tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, caller)
}

function endRequestSpan(
  span: Span,
  { faultCode }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
): void {
  const hasLeft = !raw.writableFinished
  if (!hasLeft || raw.headersSent) span.setAttribute('http.response.status_code', statusCode)
  if (hasLeft) span.setAttribute('parley.ended', 'client_left')
  // A request that was refused is no failure of ours, and tells why all the same.
  if (faultCode !== undefined && statusCode >= 500) failSpan(span, faultCode)
  else if (faultCode !== undefined) span.setAttribute('error.type', faultCode)
  span.end()
}
