import { describeError } from '#platform/describe-error.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import type { Brand } from './catalogue.ts'
import { createCircuit, type Circuit, type CircuitOptions, type CircuitState } from './circuit.ts'
import type { LaneSettings } from './lane-settings.ts'
import { createPace, type Pace } from './pace.ts'
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
  /** What runs there, for a person; null where only its operator knows. */
  readonly about: string | null
  readonly priority: number
  readonly weight: number
  /** Null where no limit is set. */
  readonly maxConcurrent: number | null
  readonly requestsPerMinute: number | null
  readonly circuit: CircuitState
  /** Until when the upstream asked to be left alone; null where it did not. */
  readonly restsUntilMs: number | null
  readonly underWay: number
  readonly requests: number
  readonly failures: number
  /** How many requests would have come here but for a limit, by which one. */
  readonly passedOver: Readonly<Record<LimitBlocker, number>>
  /** A moving average of the time to the first token; null before the first reply. */
  readonly firstTokenMs: number | null
  readonly lastFailure: { readonly kind: UpstreamFailure['kind']; readonly atMs: number } | null
}

/** Why an upstream may not be asked now: its limits, its own wish for rest, or its failures. */
export type Blocker = LimitBlocker | 'circuit'
type LimitBlocker = 'concurrency' | 'rate' | 'rest'

export interface LaneTools {
  readonly brand: Brand
  readonly circuit: CircuitOptions
  readonly clock: Clock
  readonly log: Log
}

/** However long an upstream asks to be left alone: after this we look for ourselves. */
const MAX_REST_MS = 5 * 60_000

/** One upstream of a route, behind its circuit and its limits, with its figures. */
export class Lane {
  readonly name: string
  readonly #upstream: Upstream
  readonly #tools: LaneTools
  readonly #circuit: Circuit
  readonly #passedOver = { concurrency: 0, rate: 0, rest: 0 }
  #settings: LaneSettings = {}
  #pace: Pace | undefined
  #restUntilMs = Number.NEGATIVE_INFINITY
  #underWay = 0
  #requests = 0
  #failures = 0
  #firstTokenMs: number | null = null
  #lastFailure: UpstreamHealth['lastFailure'] = null
  /** Settled when the upstream is closed; undefined as long as the lane is in use. */
  #retiring: PromiseWithResolvers<void> | undefined

  constructor(upstream: Upstream, tools: LaneTools, settings: LaneSettings = {}) {
    this.name = upstream.name
    this.#upstream = upstream
    this.#tools = tools
    this.#circuit = createCircuit(tools.circuit)
    this.configure(settings)
  }

  /** Sets when it is asked. What it has been sent already counts against its new limits. */
  configure(settings: LaneSettings): void {
    const { requestsPerMinute: limit } = settings
    if (limit === undefined) this.#pace = undefined
    else if (limit !== this.#settings.requestsPerMinute) {
      this.#pace = this.#pace?.change(limit) ?? createPace(limit)
    }
    this.#settings = settings
  }

  get turn(): { readonly priority: number; readonly weight: number } {
    const { priority = 1, weight = 1 } = this.#settings
    return { priority, weight }
  }

  /** Undefined where it may be asked now. Looks only: nothing is taken by it. */
  blocker(nowMs: number): Blocker | undefined {
    if (!this.#circuit.wouldPass(nowMs)) return 'circuit'
    if (this.#rests(nowMs)) return 'rest'
    const { maxConcurrent } = this.#settings
    if (maxConcurrent !== undefined && this.#underWay >= maxConcurrent) return 'concurrency'
    return this.#pace && !this.#pace.allows(nowMs) ? 'rate' : undefined
  }

  notePassedOver(blocker: Blocker): void {
    if (blocker !== 'circuit') this.#passedOver[blocker] += 1
  }

  /** Asks the upstream, where nothing blocks it. Its limits are taken before anything is awaited. */
  async open(request: UpstreamRequest, signal: AbortSignal): Promise<Opening> {
    const nowMs = this.#tools.clock.nowMs()
    const isProbe = this.#circuit.state(nowMs) === 'half_open'
    this.#circuit.pass(nowMs)
    this.#pace?.note(nowMs)
    this.#requests += 1
    const leave = this.#enter(signal)
    const startedMs = performance.now()
    const opening = await openSafely(this.#upstream, request, signal)
    if (opening.kind === 'opened') {
      this.#circuit.opened()
      this.#noteFirstToken(performance.now() - startedMs)
      return { kind: 'opened', reply: this.#watchEnd(opening.reply, leave) }
    }
    leave()
    if (opening.failure.kind !== 'unavailable' && isUpstreamsFault(opening.failure)) {
      this.#noteFailure(opening.failure)
    } else if (isProbe) this.#circuit.abandoned()
    return opening
  }

  health(): UpstreamHealth {
    const nowMs = this.#tools.clock.nowMs()
    const { maxConcurrent = null, requestsPerMinute = null } = this.#settings
    return {
      name: this.name,
      kind: this.#upstream.kind,
      about: this.#upstream.describe?.() ?? null,
      ...this.turn,
      maxConcurrent,
      requestsPerMinute,
      circuit: this.#circuit.state(nowMs),
      restsUntilMs: this.#rests(nowMs) ? this.#restUntilMs : null,
      underWay: this.#underWay,
      requests: this.#requests,
      failures: this.#failures,
      passedOver: { ...this.#passedOver },
      firstTokenMs: this.#firstTokenMs,
      lastFailure: this.#lastFailure,
    }
  }

  /** Nothing new comes here. Resolves when the last request has ended and the upstream is closed. */
  retire(): Promise<void> {
    this.#retiring ??= Promise.withResolvers()
    if (this.#underWay === 0) this.#closeLater()
    return this.#retiring.promise
  }

  close(): Promise<void> {
    return this.#upstream.close()
  }

  /** Counts a request as under way until what is returned is called, or its client leaves. */
  #enter(signal: AbortSignal): () => void {
    let isOver = false
    const leave = (): void => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', leave)
      this.#underWay -= 1
      if (this.#retiring && this.#underWay === 0) this.#closeLater()
    }
    this.#underWay += 1
    signal.addEventListener('abort', leave, { once: true })
    return leave
  }

  /** Not at once: the last request may be reading from the connection at this very moment. */
  #closeLater(): void {
    const named = { brand: this.#tools.brand, upstream: this.name }
    setImmediate(() => {
      this.close()
        .then(() => this.#tools.log.info(named, 'upstream closed'))
        .catch((error: unknown) => {
          this.#tools.log.warn({ ...named, error: describeError(error) }, 'upstream not closed')
        })
        .finally(() => this.#retiring?.resolve())
    })
  }

  #rests(nowMs: number): boolean {
    const leftMs = this.#restUntilMs - nowMs
    // A clock that was set back must not make the rest longer.
    return leftMs > 0 && leftMs <= MAX_REST_MS
  }

  #noteFailure({ kind, reason, retryAfterMs = 0 }: UpstreamFailure): void {
    const { brand, clock, log } = this.#tools
    const atMs = clock.nowMs()
    this.#failures += 1
    this.#lastFailure = { kind, atMs }
    if (retryAfterMs > 0) this.#restUntilMs = atMs + Math.min(retryAfterMs, MAX_REST_MS)
    this.#circuit.failed(atMs)
    log.warn({ brand, upstream: this.name, kind, reason }, 'upstream failed')
  }

  #noteFirstToken(elapsedMs: number): void {
    const before = this.#firstTokenMs
    this.#firstTokenMs = before === null ? elapsedMs : before * 0.9 + elapsedMs * 0.1
  }

  /** A reply that breaks off counts against its upstream like one that never began. */
  #watchEnd(reply: UpstreamReply, leave: () => void): UpstreamReply {
    return {
      pause: () => reply.pause(),
      resume: () => reply.resume(),
      read: (listener) =>
        reply.read({
          onEvent: (event) => listener.onEvent(event),
          onEnd: (failure) => {
            leave()
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
