import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionLost, StoreGone } from './availability.ts'

/**
 * While a database cannot be reached, each call would wait for its own time-out. After the first that
 * finds it gone, calls fail at once, and one probe asks for all until it is back.
 */
export interface DatabaseWatch {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  close(): void
}

const PROBE_EVERY_MS = 200

export function watchDatabase(probe: () => Promise<unknown>): DatabaseWatch {
  const closed = new AbortController()
  let isAway = false

  async function untilBack(): Promise<void> {
    while (!closed.signal.aborted) {
      await delay(PROBE_EVERY_MS, undefined, { signal: closed.signal, ref: false }).catch(() => {})
      if (await isBack()) break
    }
    isAway = false
  }

  async function isBack(): Promise<boolean> {
    return probe().then(
      () => true,
      () => false,
    )
  }

  return {
    async run(work) {
      if (isAway) throw new StoreGone('the database cannot be reached')
      try {
        return await work()
      } catch (error) {
        if (isConnectionLost(error) && !isAway) {
          isAway = true
          void untilBack()
        }
        throw error
      }
    },
    close: () => closed.abort(),
  }
}
