import { describeError } from '#platform/describe-error.ts'
import type { Log } from '#platform/log.ts'

/** Work that is done again and again until it is closed; it keeps no process alive. */
export interface Repeats {
  /** A failure is told to the log, and the work is done again when its time comes. */
  every(everyMs: number, what: string, work: () => Promise<void>): void
  close(): void
}

export function createRepeats(log: Log): Repeats {
  const timers: NodeJS.Timeout[] = []
  return {
    every(everyMs, what, work) {
      const onFailure = (error: unknown): void =>
        log.warn({ error: describeError(error) }, `${what} failed; it is done again later`)
      timers.push(setInterval(() => void work().catch(onFailure), everyMs).unref())
    },
    close() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
