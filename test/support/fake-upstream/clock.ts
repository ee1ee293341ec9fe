import { setTimeout as wait } from 'node:timers/promises'

/** The fake upstream's time, so that a test can hold it still. */
export interface Clock {
  now(): number
  /** May reject once the signal is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) => wait(durationMs, undefined, { signal }),
}
