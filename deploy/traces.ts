/**
 * Records the spans of the service and sends them to a collector by OTLP over HTTP. Loaded before it:
 *
 *     node --import ./deploy/traces.ts src/main.ts
 *
 * Where they go, OTEL_EXPORTER_OTLP_ENDPOINT says (http://localhost:4318 if nothing does), with the
 * other variables of that name. OTEL_SERVICE_NAME is `parley` if it says nothing else, and
 * OTEL_TRACES_SAMPLER_ARG the part of all requests that is recorded, from 0 to 1: all if not set.
 */
import { isMainThread } from 'node:worker_threads'
import {
  context,
  diag,
  DiagConsoleLogger,
  DiagLogLevel,
  propagation,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

// The threads that write to the store load this file too, and have no spans.
if (isMainThread) record(process.env)

function record({
  OTEL_SERVICE_NAME = 'parley',
  OTEL_TRACES_SAMPLER_ARG = '1',
  // Less than the ten seconds of the exporter, which would hold up the end of a service.
  OTEL_EXPORTER_OTLP_TIMEOUT = '3000',
}: NodeJS.ProcessEnv) {
  diag.setLogger(new DiagConsoleLogger(), DiagLogLevel.ERROR)
  const exporter = new OTLPTraceExporter({ timeoutMillis: Number(OTEL_EXPORTER_OTLP_TIMEOUT) })
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME }),
    ),
    // By its id alone: a caller who says that a request is to be recorded decides nothing.
    sampler: new TraceIdRatioBasedSampler(Number(OTEL_TRACES_SAMPLER_ARG)),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  // When the service has let its replies end, the last spans go out.
  process.once('beforeExit', () => {
    provider.shutdown().catch(() => diag.error('the last spans were not sent'))
  })
}
