import type { Clock } from '#platform/clock.ts'

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void
  set(atMs: number): void
}

/** Begins at noon UTC, so that no test meets midnight by accident. */
export function createManualClock(atMs = Date.UTC(2026, 10, 21, 12)): ManualClock {
  let nowMs = atMs
  return {
    nowMs: () => nowMs,
    advance(milliseconds) {
      nowMs += milliseconds
    },
    set(next) {
      nowMs = next
    },
  }
}
