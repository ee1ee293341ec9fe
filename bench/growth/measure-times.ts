import { createLog } from '#platform/log.ts'
import { openPostgresStore } from '#platform/store/postgres-store.ts'
import { median, quantile } from '../statistics.ts'
import { hashOf, listCalls, timeRoundTrip } from './calls.ts'
import type { Database } from './prove.ts'
import { createRooms } from './rooms.ts'

export interface Times {
  readonly oneMs: Spread
  /** Of all together. */
  readonly manyMs: Spread
  readonly listsMs: Readonly<Record<string, number>>
}

export interface Spread {
  readonly p50: number
  readonly p99: number
}

const WARM_UP = 300
const ROUND_TRIPS = 3_000
const ROUND_TRIPS_TOGETHER = 300
const TOGETHER = 64
const LISTS = 200

/** How long admitting and charging takes, and each list, of accounts in turn. */
export async function measureTimes({ url, directory, accounts }: Database): Promise<Times> {
  const store = await openPostgresStore(url, directory)
  const rooms = createRooms({ store, directory, log: createLog('error') })
  let place = 0
  // Far from each other, so that the database does not find one where it has just found another.
  const next = (): number => (place++ * 7_919) % accounts
  const timeRounds = async (count: number, together: number): Promise<number[]> => {
    const timesMs: number[] = []
    for (let round = 0; round < count; round += 1) {
      timesMs.push(await timeRoundTrip(rooms, Array.from({ length: together }, next)))
    }
    return timesMs
  }
  await timeRounds(WARM_UP, 1)
  const oneMs = spreadOf(await timeRounds(ROUND_TRIPS, 1))
  const manyMs = spreadOf(await timeRounds(ROUND_TRIPS_TOGETHER, TOGETHER))
  const listsMs: Record<string, number[]> = {}
  for (let round = 0; round < LISTS; round += 1) {
    const owner = await rooms.accounts.findKey(hashOf(next()))
    if (!owner) throw new Error('a key that was made is not there')
    for (const [name, call] of Object.entries(listCalls(rooms, store, owner.accountId))) {
      const startedMs = performance.now()
      await call()
      ;(listsMs[name] ??= []).push(performance.now() - startedMs)
    }
  }
  await rooms.close()
  await store.close()
  const medians = Object.entries(listsMs).map(([name, timesMs]) => [name, median(timesMs)])
  return { oneMs, manyMs, listsMs: Object.fromEntries(medians) as Record<string, number> }
}

function spreadOf(timesMs: readonly number[]): Spread {
  return { p50: quantile(timesMs, 0.5), p99: quantile(timesMs, 0.99) }
}
