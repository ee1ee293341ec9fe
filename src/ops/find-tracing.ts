import type { FastifyInstance } from 'fastify'
import type { Gate } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import type { WrapUpstream } from '#models/index.ts'

/** The same rooms, with a span around what they do for a chat request. */
export interface Tracing {
  readonly traceGate: (gate: Gate) => Gate
  readonly traceLedger: (ledger: Ledger) => Ledger
  readonly traceUpstream: WrapUpstream
  readonly traceRequests: (server: FastifyInstance) => void
}

/** Where every copy of OpenTelemetry's API, of whatever version 1, keeps what was registered with it. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1')

/**
 * Undefined where no SDK has registered itself before the service was loaded (`node --import`): then
 * nothing is wrapped, and the API is not even loaded.
 */
export async function findTracing(): Promise<Tracing | undefined> {
  if (!(REGISTRY in globalThis)) return undefined
  const { createTracing } = await import('./create-tracing.ts')
  return createTracing()
}
