/** Keeps requests to an upstream within so many in any 60 seconds. */
export interface Pace {
  /** Whether one more may go now. */
  allows(nowMs: number): boolean
  /** Counts one that goes now. */
  note(nowMs: number): void
  /** The same requests, held against another limit. */
  change(requestsPerMinute: number): Pace
}

const MINUTE_MS = 60_000

/** Remembers when each of the last requests went: exact at any moment, and one look decides. */
export function createPace(requestsPerMinute: number, earlierMs: readonly number[] = []): Pace {
  const sentAtMs = new Float64Array(requestsPerMinute).fill(Number.NEGATIVE_INFINITY)
  /** Where the oldest stands, which the next request takes the place of. */
  let oldest = 0
  for (const atMs of earlierMs.slice(-requestsPerMinute)) note(atMs)

  function note(nowMs: number): void {
    sentAtMs[oldest] = nowMs
    oldest = (oldest + 1) % requestsPerMinute
  }

  return {
    allows(nowMs) {
      const sinceMs = nowMs - (sentAtMs[oldest] ?? Number.NEGATIVE_INFINITY)
      // A clock that was set back must not keep requests away for longer than a minute.
      return sinceMs >= MINUTE_MS || sinceMs < 0
    },
    note,
    change(limit) {
      const inOrder = [...sentAtMs.subarray(oldest), ...sentAtMs.subarray(0, oldest)]
      return createPace(limit, inOrder)
    },
  }
}
