import type { Engine } from '#platform/store/index.ts'
import { createRandom } from '../support/random.ts'
import { listFaultNames, type FaultName } from './faults/index.ts'

/** A round's storm: all of it follows from its seed, and from the names if some were given. */
export interface RoundPlan {
  readonly seed: number
  readonly faults: readonly PlannedFault[]
}

export interface PlannedFault {
  readonly name: FaultName
  /** After the load has begun. */
  readonly startMs: number
  readonly seed: number
}

/** Faults begin within this time, so most of them meet another one. */
const STORM_MS = 900
const LEAST_FAULTS = 2
const MOST_FAULTS = 5

export function planRound(seed: number, only: readonly FaultName[], engine: Engine): RoundPlan {
  const random = createRandom(seed)
  const names = only.length > 0 ? only : chooseNames(seed, engine)
  const faults = names.map((name) => ({
    name,
    startMs: random.between(0, STORM_MS),
    seed: random.between(0, 2 ** 30),
  }))
  return { seed, faults }
}

function chooseNames(seed: number, engine: Engine): FaultName[] {
  // Of its own seed, so that a replay by names draws the same moments.
  const random = createRandom(seed ^ 0x5eed)
  const left = listFaultNames(engine)
  const count = random.between(LEAST_FAULTS, MOST_FAULTS)
  return Array.from({ length: count }, () => {
    const [name] = left.splice(random.between(0, left.length - 1), 1)
    return name as FaultName
  })
}
