import type { Witness } from './checks/index.ts'
import type { Engine } from '#platform/store/index.ts'
import { startPostgres, type Postgres } from '../support/postgres/index.ts'
import { startUpstreams, type Upstreams } from './traffic/upstreams.ts'
import { createOperator, type Operator } from './world/operator.ts'
import { openWorld, type World } from './world/world.ts'

/** What the service runs on. */
export interface StoreWish {
  readonly engine: Engine
  /** Processes that share it; an embedded store has a single owner. */
  readonly replicas?: number
}

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

export async function openStage({ engine, replicas }: StoreWish): Promise<Stage> {
  const upstreams = await startUpstreams()
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const endWithDriver = (): void => {
    if (postgres) killIfRunning(postgres)
  }
  process.once('exit', endWithDriver)
  const databaseUrl = await postgres?.createDatabase()
  const world = openWorld({
    store: { engine, databaseUrl },
    upstreamUrls: upstreams.urls,
    postgres,
    ...(replicas !== undefined && { replicas }),
  })
  const close = async (): Promise<void> => {
    await world.close()
    await upstreams.close()
    await postgres?.close()
    process.off('exit', endWithDriver)
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

/** However the driver ends, no database is left running behind it. */
function killIfRunning(postgres: Postgres): void {
  try {
    process.kill(postgres.pid(), 'SIGQUIT')
  } catch {
    // It was never started, or has ended.
  }
}
