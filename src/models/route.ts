import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { createCircuit, type Circuit, type CircuitOptions, type CircuitState } from './circuit.ts'
import type { Brand } from './catalogue.ts'
import type {
  Opening,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './upstreams/upstream.ts'

/** The way from a brand to a reply: its upstreams, in order, each behind a circuit. */
export interface Route {
  /** Tries each upstream that may be used until one begins to reply. */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<Routing>
  health(): UpstreamHealth[]
}

export type Routing =
  | { readonly kind: 'opened'; readonly reply: UpstreamReply }
  /** At least one was tried; this is how the last one failed. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }
  /** None may be used now. */
  | { readonly kind: 'unavailable' }

export interface UpstreamHealth {
  readonly name: string
  readonly kind: string
  readonly circuit: CircuitState
  readonly requests: number
  readonly failures: number
  /** A moving average of the time to the first token; null before the first reply. */
  readonly firstTokenMs: number | null
  readonly lastFailure: { readonly kind: UpstreamFailure['kind']; readonly atMs: number } | null
}

interface Lane {
  readonly upstream: Upstream
  readonly circuit: Circuit
  requests: number
  failures: number
  firstTokenMs: number | null
  lastFailure: UpstreamHealth['lastFailure']
}

export interface RouteOptions {
  readonly brand: Brand
  readonly upstreams: readonly Upstream[]
  readonly circuit: CircuitOptions
  readonly clock: Clock
  readonly log: Log
}

export function createRoute({ brand, upstreams, circuit, clock, log }: RouteOptions): Route {
  const lanes = upstreams.map((upstream) => createLane(upstream, circuit))

  async function tryLane(lane: Lane, request: UpstreamRequest, signal: AbortSignal) {
    const startedMs = performance.now()
    lane.requests += 1
    const opening = await openSafely(lane.upstream, request, signal)
    if (opening.kind === 'failed') {
      noteFailure(lane, opening.failure)
      return opening
    }
    lane.circuit.opened()
    noteFirstToken(lane, performance.now() - startedMs)
    return { kind: 'opened', reply: watchEnd(lane, opening.reply) } as const
  }

  function noteFailure(lane: Lane, failure: UpstreamFailure): void {
    if (!isUpstreamsFault(failure)) return lane.circuit.abandoned()
    const nowMs = clock.nowMs()
    lane.failures += 1
    lane.lastFailure = { kind: failure.kind, atMs: nowMs }
    lane.circuit.failed(nowMs)
    const { name } = lane.upstream
    log.warn(
      { brand, upstream: name, kind: failure.kind, reason: failure.reason },
      'upstream failed',
    )
  }

  /** A reply that breaks off counts against its upstream like one that never began. */
  function watchEnd(lane: Lane, reply: UpstreamReply): UpstreamReply {
    return {
      pause: () => reply.pause(),
      resume: () => reply.resume(),
      read: (listener) =>
        reply.read({
          onEvent: (event) => listener.onEvent(event),
          onEnd(failure) {
            if (failure) noteFailure(lane, failure)
            else lane.circuit.completed()
            listener.onEnd(failure)
          },
        }),
    }
  }

  return {
    async open(request, signal) {
      let last: Routing = { kind: 'unavailable' }
      for (const lane of lanes) {
        if (!lane.circuit.pass(clock.nowMs())) continue
        last = await tryLane(lane, request, signal)
        if (last.kind === 'opened' || signal.aborted || !isUpstreamsFault(last.failure)) return last
      }
      return last
    },
    health: () => lanes.map((lane) => describeLane(lane, clock.nowMs())),
  }
}

function createLane(upstream: Upstream, circuit: CircuitOptions): Lane {
  return {
    upstream,
    circuit: createCircuit(circuit),
    requests: 0,
    failures: 0,
    firstTokenMs: null,
    lastFailure: null,
  }
}

/** An upstream kind that throws has a bug; its request fails like any other, and the next is tried. */
async function openSafely(
  upstream: Upstream,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<Opening> {
  try {
    return await upstream.open(request, signal)
  } catch (error) {
    return { kind: 'failed', failure: { kind: 'unreachable', reason: (error as Error).name } }
  }
}

/** Whether another upstream might do better. */
function isUpstreamsFault({ kind }: UpstreamFailure): boolean {
  return kind !== 'rejected' && kind !== 'context_overflow' && kind !== 'cancelled'
}

function noteFirstToken(lane: Lane, elapsedMs: number): void {
  lane.firstTokenMs =
    lane.firstTokenMs === null ? elapsedMs : lane.firstTokenMs * 0.9 + elapsedMs * 0.1
}

function describeLane(lane: Lane, nowMs: number): UpstreamHealth {
  const { upstream, circuit, requests, failures, firstTokenMs, lastFailure } = lane
  return {
    name: upstream.name,
    kind: upstream.kind,
    circuit: circuit.state(nowMs),
    requests,
    failures,
    firstTokenMs,
    lastFailure,
  }
}
