import type { Lane } from './lane.ts'

/** Says which upstream of a brand is asked next. */
export interface LanePicker {
  /** The one whose turn it is among those that may be asked now; undefined where none may. */
  pick(nowMs: number, tried: ReadonlySet<Lane> | undefined): Lane | undefined
}

interface Seat {
  readonly lane: Lane
  readonly priority: number
  readonly weight: number
  /** How far the lane is behind its share; the one furthest behind is next. */
  owed: number
}

/**
 * The lowest priority number goes first; lanes of one priority take turns by their weights (smooth
 * weighted round robin): of any run of requests each gets its share, give or take one, and none waits
 * longer than all the weights together. A lane that may not be asked now neither gains nor loses.
 */
export function createLanePicker(lanes: readonly Lane[]): LanePicker {
  const seats = lanes.map((lane): Seat => ({ lane, ...lane.turn, owed: 0 }))
  seats.sort((one, other) => one.priority - other.priority)
  return {
    pick(nowMs, tried) {
      let next: Seat | undefined
      let weights = 0
      for (const seat of seats) {
        if (next && seat.priority !== next.priority) break
        if (tried?.has(seat.lane) || !mayBeAsked(seat.lane, nowMs, tried === undefined)) continue
        weights += seat.weight
        seat.owed += seat.weight
        if (!next || seat.owed > next.owed) next = seat
      }
      if (next) next.owed -= weights
      return next?.lane
    },
  }
}

/** A request notes once that it passed a lane over, however many it tries after. */
function mayBeAsked(lane: Lane, nowMs: number, isFirstLook: boolean): boolean {
  const blocker = lane.blocker(nowMs)
  if (blocker === undefined) return true
  if (isFirstLook) lane.notePassedOver(blocker)
  return false
}
