import type { Standing } from './standing.ts'

const POLL_MS = 5_000
const LONGEST_MS = 60_000
/** What the stream does not tell: a request that was counted and refused, a hold that came back. */
const BESIDE_STREAM_MS = 30_000
const SHORTEST_MS = 1_000

/** What a query knows of its last answers. */
export interface Answered {
  readonly data: Pick<Standing, 'windows' | 'as_of'> | undefined
  readonly dataUpdatedAt: number
  readonly errorUpdatedAt: number
}

/**
 * When the standing is asked for again: by itself it stays true until the window of the minute ends.
 * Without the stream every five seconds, and the longer nothing is answered the less often.
 */
export function askAgainIn(isLive: boolean, answered: Answered): number {
  if (!answered.data) return POLL_MS
  if (!isLive) return clamp(answered.errorUpdatedAt - answered.dataUpdatedAt, POLL_MS, LONGEST_MS)
  const { windows, as_of: asOf } = answered.data
  const isUntouched =
    windows.requests.left === windows.requests.limit && windows.tokens.left === windows.tokens.limit
  if (isUntouched) return BESIDE_STREAM_MS
  return clamp(windows.resets_at - asOf, SHORTEST_MS, BESIDE_STREAM_MS)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
