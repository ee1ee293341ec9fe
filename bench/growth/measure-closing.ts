import { sql } from 'kysely'
import { createLog } from '#platform/log.ts'
import { openPostgresStore } from '#platform/store/postgres-store.ts'
import { timeRoundTrip } from './calls.ts'
import { MONTHS } from './fill.ts'
import type { Database } from './prove.ts'
import { createRooms, type Rooms } from './rooms.ts'

export interface Closing {
  readonly receipts: number
  readonly verifyS: number
  readonly closeS: number
  /** The longest round trip of a request while the month was closed, and in a time like it before. */
  readonly longestMs: number
  readonly longestBeforeMs: number
  readonly problems: readonly string[]
}

/** Requests at once, all the time. */
const AT_ONCE = 8
const BEFORE_MS = 5_000

/** Closes the oldest month while requests go on, and says for how long one had to wait. */
export async function measureClosing({ url, directory, accounts }: Database): Promise<Closing> {
  const store = await openPostgresStore(url, directory)
  const rooms = createRooms({ store, directory, log: createLog('error') })
  try {
    const verifying = await timed(() => rooms.ledger.verify())
    const traffic = createTraffic(rooms, accounts)
    await new Promise((resolve) => setTimeout(resolve, BEFORE_MS))
    const longestBeforeMs = traffic.takeLongest()
    const closing = await timed(() =>
      sql<{ closed: { receipts: number } }>`
        select close_month(next_month_to_close(${MONTHS - 2}::int)) as closed
      `.execute(store.upkeep),
    )
    const longestMs = traffic.takeLongest()
    await traffic.stop()
    const after = await rooms.ledger.verify()
    const discrepancies = [...verifying.result.discrepancies, ...after.discrepancies]
    return {
      receipts: closing.result.rows[0]?.closed.receipts ?? NaN,
      verifyS: verifying.seconds,
      closeS: closing.seconds,
      longestMs,
      longestBeforeMs,
      problems: discrepancies.slice(0, 3).map((one) => `the books do not add up: ${one}`),
    }
  } finally {
    await rooms.close()
    await store.close()
  }
}

async function timed<Result>(work: () => Promise<Result>) {
  const startedMs = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedMs) / 1000 }
}

function createTraffic(rooms: Rooms, accounts: number) {
  const over = new AbortController()
  let place = 0
  let longestMs = 0
  const lines = Array.from({ length: AT_ONCE }, async () => {
    while (!over.signal.aborted) {
      const tookMs = await timeRoundTrip(rooms, [(place++ * 7_919) % accounts])
      longestMs = Math.max(longestMs, tookMs)
    }
  })
  return {
    takeLongest(): number {
      const taken = longestMs
      longestMs = 0
      return taken
    },
    async stop(): Promise<void> {
      over.abort()
      await Promise.all(lines)
    },
  }
}
