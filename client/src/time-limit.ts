/** Ends a request that nothing is heard of for too long. */
export interface TimeLimit {
  /** Goes off when the time is over, and when the caller's own does. */
  readonly signal: AbortSignal
  readonly limitMs: number
  isOver(): boolean
  /** Waits for one step of the request. The time between two steps is the caller's. */
  wait<Result>(step: Promise<Result>): Promise<Result>
}

/** A timer for longer than this goes off at once, in Node and in browsers. */
const LONGEST_MS = 2 ** 31 - 1

export function createTimeLimit(limitMs: number, outer: AbortSignal | undefined): TimeLimit {
  const over = new AbortController()
  return {
    signal: outer ? AbortSignal.any([outer, over.signal]) : over.signal,
    limitMs,
    isOver: () => over.signal.aborted,
    async wait(step) {
      const timer = setTimeout(() => over.abort(), Math.min(limitMs, LONGEST_MS))
      try {
        return await step
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
