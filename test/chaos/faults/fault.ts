import type { Random } from '../../support/random.ts'
import type { RoundAccount } from '../traffic/accounts.ts'
import type { Load } from '../traffic/load.ts'
import type { Upstreams } from '../traffic/upstreams.ts'
import type { World } from '../world/world.ts'

/** What a fault can reach while a round is under way. */
export interface Scene {
  readonly world: World
  readonly upstreams: Upstreams
  readonly load: Load
  /** Anyone of the round's accounts that the load spends from. */
  anyAccount(): RoundAccount
  /** One that only faults spend from, rich enough for the longest reply. */
  readonly patient: RoundAccount
  /** The fault's own: what another fault draws changes nothing here. */
  readonly random: Random
}

export interface Fault {
  /** Does its harm, and undoes what does not undo itself. Resolves when both are done. */
  inflict(scene: Scene): Promise<void>
  /** Why it cannot be done in this world; undefined where it can. */
  whyNot?(world: World): string | undefined
}

const LEAST_MS = 150
const MOST_MS = 900

/** How long a fault lasts. */
export function chooseDurationMs({ random }: Pick<Scene, 'random'>): number {
  return random.between(LEAST_MS, MOST_MS)
}
