/** Time is passed in, so that windows and midnights are tested without waiting for them. */
export interface Clock {
  /** Milliseconds since the Unix epoch. May jump, forwards or backwards, as wall clocks do. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

const DAY_MS = 86_400_000

/** The UTC day of an instant, as "2026-11-21". */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** Milliseconds from an instant to the next midnight UTC: more than 0, at most a day. */
export function untilMidnightMs(atMs: number): number {
  return DAY_MS - (atMs % DAY_MS)
}
