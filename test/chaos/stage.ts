import type { Witness } from './checks/index.ts'
import type { StoreOptions } from './service/orders.ts'
import { startUpstreams, type Upstreams } from './traffic/upstreams.ts'
import { createOperator, type Operator } from './world/operator.ts'
import { openWorld, type World } from './world/world.ts'

/** A world with its upstreams, for one round after the other. */
export interface Stage {
  readonly world: World
  readonly upstreams: Upstreams
  readonly operator: Operator
  /** What the service keeps in memory before its first client. */
  readonly floorBytes: number
  /** One for each round that has been. */
  readonly witnesses: Witness[]
  close(): Promise<void>
}

export async function openStage(store: StoreOptions): Promise<Stage> {
  const upstreams = await startUpstreams()
  const world = openWorld({ store, upstreamUrls: upstreams.urls })
  const close = async (): Promise<void> => {
    await world.close()
    await upstreams.close()
  }
  try {
    await world.start()
    const measurements = await world.measure()
    return {
      world,
      upstreams,
      operator: createOperator(() => world.origins()),
      floorBytes: Math.max(...measurements.map(({ keptBytes }) => keptBytes)),
      witnesses: [],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
