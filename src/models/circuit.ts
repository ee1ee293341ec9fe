/**
 * Keeps requests from an upstream that fails again and again. Closed: all pass. Open: none pass
 * until it has cooled down. Half open: one passes as a probe, and its outcome decides.
 */
export interface Circuit {
  state(nowMs: number): CircuitState
  /** Whether a request may go to the upstream now. */
  wouldPass(nowMs: number): boolean
  /** The same, for a request that goes. A yes is answered by one of the calls below. */
  pass(nowMs: number): boolean
  /** The upstream began a reply. */
  opened(): void
  /** The upstream ended a reply as it should. */
  completed(): void
  failed(nowMs: number): void
  /** The request ended before the upstream showed anything, good or bad. */
  abandoned(): void
}

export type CircuitState = 'closed' | 'open' | 'half_open'

export interface CircuitOptions {
  /** So many failures in a row, no further apart in all than the window, open the circuit. */
  readonly failures: number
  readonly windowMs: number
  readonly coolDownMs: number
}

export const DEFAULT_CIRCUIT: CircuitOptions = {
  failures: 5,
  windowMs: 30_000,
  coolDownMs: 10_000,
}

export function createCircuit(options: CircuitOptions): Circuit {
  let failuresMs: number[] = []
  let openUntilMs: number | undefined
  let probing = false

  function state(nowMs: number): CircuitState {
    if (openUntilMs === undefined) return 'closed'
    // A clock that was set back must not keep it open for longer than it cools.
    const cooling = nowMs < openUntilMs && openUntilMs - nowMs <= options.coolDownMs
    return cooling ? 'open' : 'half_open'
  }

  function wouldPass(nowMs: number): boolean {
    const current = state(nowMs)
    return current === 'closed' || (current === 'half_open' && !probing)
  }

  return {
    state,
    wouldPass,
    pass(nowMs) {
      if (!wouldPass(nowMs)) return false
      probing = state(nowMs) === 'half_open'
      return true
    },
    opened() {
      probing = false
      openUntilMs = undefined
    },
    completed() {
      failuresMs = []
    },
    failed(nowMs) {
      const wasProbe = probing
      probing = false
      failuresMs = failuresMs.filter((atMs) => nowMs - atMs < options.windowMs)
      failuresMs.push(nowMs)
      if (wasProbe || failuresMs.length >= options.failures) {
        openUntilMs = nowMs + options.coolDownMs
        failuresMs = []
      }
    },
    abandoned() {
      probing = false
    },
  }
}
