import { trace, type Tracer } from '@opentelemetry/api'
import type { Tracing } from './find-tracing.ts'
import { traceGate } from './trace-gate.ts'
import { traceLedger } from './trace-ledger.ts'
import { traceRequests } from './trace-requests.ts'
import { traceUpstream } from './trace-upstream.ts'

/** Spans of this tracer; where none is given, of the one that an SDK has registered. */
export function createTracing(tracer: Tracer = trace.getTracer('parley')): Tracing {
  return {
    traceGate: (gate) => traceGate(gate, tracer),
    traceLedger: (ledger) => traceLedger(ledger, tracer),
    traceUpstream: (upstream, model) => traceUpstream(upstream, model, tracer),
    traceRequests: (server) => traceRequests(server, tracer),
  }
}
