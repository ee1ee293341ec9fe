import {
  context,
  propagation,
  SpanKind,
  trace,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type {
  Model,
  ReplyEvent,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from '#models/index.ts'
import { failSpan } from './run-in-span.ts'

/** What servers say of why a model stopped is a word of theirs; anything longer is none. */
const FINISH_WORD = /^\w{1,32}$/

/**
 * The same upstream, with a span around each request to it, from sending to the last of its reply, and
 * the trace told to it. https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
export function traceUpstream(upstream: Upstream, model: Model, tracer: Tracer): Upstream {
  return {
    name: upstream.name,
    kind: upstream.kind,
    close: () => upstream.close(),
    async open(request, signal) {
      const span = startCall(tracer, upstream, model, request)
      const startedMs = performance.now()
      const own = trace.setSpan(context.active(), span)
      const told = { ...request, traceHeaders: writeHeaders(own) }
      try {
        const opening = await context.with(own, () => upstream.open(told, signal))
        if (opening.kind === 'failed') {
          endCall(span, opening.failure)
          return opening
        }
        const elapsedS = (performance.now() - startedMs) / 1_000
        span.setAttribute('gen_ai.response.time_to_first_chunk', elapsedS)
        return { kind: 'opened', reply: traceReply(opening.reply, span, signal) }
      } catch (error) {
        endCall(span, { kind: 'unreachable', reason: '' })
        throw error
      }
    },
  }
}

function startCall(
  tracer: Tracer,
  upstream: Upstream,
  model: Model,
  { maxTokens, streamed, temperature }: UpstreamRequest,
): Span {
  return tracer.startSpan(`chat ${model.id}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': upstream.kind,
      'gen_ai.request.model': model.id,
      'gen_ai.request.max_tokens': maxTokens,
      'gen_ai.request.stream': streamed,
      ...(temperature !== undefined && { 'gen_ai.request.temperature': temperature }),
      'parley.upstream': upstream.name,
    },
  })
}

/** As the SDK's propagator writes them: `traceparent`, and `tracestate` where the caller has one. */
function writeHeaders(own: Context): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  propagation.inject(own, headers)
  return headers
}

function traceReply(reply: UpstreamReply, span: Span, signal: AbortSignal): UpstreamReply {
  const cancelled: UpstreamFailure = { kind: 'cancelled', reason: '' }
  // After it nothing more is heard of the reply. Once it has ended, ending it again would be a warning.
  const onAbort = (): void => endCall(span, cancelled)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return {
    pause: () => reply.pause(),
    resume: () => reply.resume(),
    read: (listener) =>
      reply.read({
        onEvent(event) {
          noteEvent(span, event)
          listener.onEvent(event)
        },
        onEnd(failure) {
          signal.removeEventListener('abort', onAbort)
          endCall(span, failure)
          listener.onEnd(failure)
        },
      }),
  }
}

function noteEvent(span: Span, event: ReplyEvent): void {
  if (event.kind === 'usage') {
    span.setAttribute('gen_ai.usage.input_tokens', event.usage.promptTokens)
    span.setAttribute('gen_ai.usage.output_tokens', event.usage.completionTokens)
  }
  if (event.kind === 'finish' && FINISH_WORD.test(event.reason)) {
    span.setAttribute('gen_ai.response.finish_reasons', [event.reason])
  }
}

/** What we cancelled ourselves, because its caller left or had enough, has not failed. */
function endCall(span: Span, failure: UpstreamFailure | undefined): void {
  if (!span.isRecording()) return
  if (failure?.kind === 'cancelled') span.setAttribute('error.type', failure.kind)
  else if (failure) failSpan(span, failure.kind)
  span.end()
}
