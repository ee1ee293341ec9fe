import type { Clock } from '#platform/clock.ts'

/** How often an address has failed within its window, this time included, and when that ends. */
export interface FailureCount {
  readonly failures: number
  readonly untilEndS: number
}

interface FailureWindow {
  readonly startMs: number
  failures: number
}

export interface FailureCounterOptions {
  readonly clock: Clock
  readonly windowMs: number
  /** Bounds the memory: beyond it the address whose window began first is forgotten. */
  readonly maxAddresses: number
}

/** Counts failures by address, in windows that begin with an address's first failure. */
export function createFailureCounter(options: FailureCounterOptions) {
  const { clock, windowMs, maxAddresses } = options
  /** In the order in which the windows began, which is the order of a Map. */
  const windows = new Map<string, FailureWindow>()

  function begin(address: string, startMs: number): FailureWindow {
    windows.delete(address)
    const [oldest] = windows.keys()
    if (oldest !== undefined && windows.size >= maxAddresses) windows.delete(oldest)
    const begun = { startMs, failures: 0 }
    windows.set(address, begun)
    return begun
  }

  return function countFailure(address: string): FailureCount {
    const nowMs = clock.nowMs()
    const known = windows.get(address)
    // A window that seems to start in the future is over: the clock was set back.
    const isCurrent = known && known.startMs <= nowMs && nowMs < known.startMs + windowMs
    const current = isCurrent ? known : begin(address, nowMs)
    current.failures += 1
    const untilEndMs = current.startMs + windowMs - nowMs
    return { failures: current.failures, untilEndS: Math.ceil(untilEndMs / 1_000) }
  }
}
