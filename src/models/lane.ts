import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Brand } from './catalogue.ts'
import { createCircuit, type Circuit, type CircuitOptions, type CircuitState } from './circuit.ts'
import type {
  Opening,
  Upstream,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from './upstreams/upstream.ts'

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

export interface LaneTools {
  readonly brand: Brand
  readonly circuit: CircuitOptions
  readonly clock: Clock
  readonly log: Log
}

/** One upstream of a route, behind its circuit, with its figures. */
export class Lane {
  readonly #upstream: Upstream
  readonly #tools: LaneTools
  readonly #circuit: Circuit
  #requests = 0
  #failures = 0
  #firstTokenMs: number | null = null
  #lastFailure: UpstreamHealth['lastFailure'] = null

  constructor(upstream: Upstream, tools: LaneTools) {
    this.#upstream = upstream
    this.#tools = tools
    this.#circuit = createCircuit(tools.circuit)
  }

  /** Undefined where the circuit lets no request pass now. */
  async open(request: UpstreamRequest, signal: AbortSignal): Promise<Opening | undefined> {
    const nowMs = this.#tools.clock.nowMs()
    const isProbe = this.#circuit.state(nowMs) === 'half_open'
    if (!this.#circuit.pass(nowMs)) return undefined
    const startedMs = performance.now()
    this.#requests += 1
    const opening = await openSafely(this.#upstream, request, signal)
    if (opening.kind === 'opened') {
      this.#circuit.opened()
      this.#noteFirstToken(performance.now() - startedMs)
      return { kind: 'opened', reply: this.#watchEnd(opening.reply) }
    }
    if (isUpstreamsFault(opening.failure)) this.#noteFailure(opening.failure)
    else if (isProbe) this.#circuit.abandoned()
    return opening
  }

  health(): UpstreamHealth {
    return {
      name: this.#upstream.name,
      kind: this.#upstream.kind,
      circuit: this.#circuit.state(this.#tools.clock.nowMs()),
      requests: this.#requests,
      failures: this.#failures,
      firstTokenMs: this.#firstTokenMs,
      lastFailure: this.#lastFailure,
    }
  }

  #noteFailure({ kind, reason }: UpstreamFailure): void {
    const { brand, clock, log } = this.#tools
    const atMs = clock.nowMs()
    this.#failures += 1
    this.#lastFailure = { kind, atMs }
    this.#circuit.failed(atMs)
    log.warn({ brand, upstream: this.#upstream.name, kind, reason }, 'upstream failed')
  }

  #noteFirstToken(elapsedMs: number): void {
    const before = this.#firstTokenMs
    this.#firstTokenMs = before === null ? elapsedMs : before * 0.9 + elapsedMs * 0.1
  }

  /** A reply that breaks off counts against its upstream like one that never began. */
  #watchEnd(reply: UpstreamReply): UpstreamReply {
    return {
      pause: () => reply.pause(),
      resume: () => reply.resume(),
      read: (listener) =>
        reply.read({
          onEvent: (event) => listener.onEvent(event),
          onEnd: (failure) => {
            if (failure && isUpstreamsFault(failure)) this.#noteFailure(failure)
            else this.#circuit.completed()
            listener.onEnd(failure)
          },
        }),
    }
  }
}

/** Whether another upstream might do better. */
export function isUpstreamsFault({ kind }: UpstreamFailure): boolean {
  return kind !== 'rejected' && kind !== 'context_overflow' && kind !== 'cancelled'
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
