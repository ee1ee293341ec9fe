import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Postgres } from '../../support/postgres/index.ts'
import type { Breakage, Measurement, StoreOptions } from '../service/orders.ts'
import { createClockFile } from '../service/shared-clock.ts'
import { openDataDisk, type DataDisk } from './data-disk.ts'
import { createFreezer } from './freezer.ts'
import { makeReplicaDir, openPlainDisk } from './plain-disk.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { createServiceClock, type ServiceClock } from './service-clock.ts'

/** The service under chaos with all that can be done to it from outside. */
export interface World {
  readonly disk: DataDisk
  readonly clock: Pick<ServiceClock, 'nowMs' | 'stamp'>
  readonly replicas: number
  readonly hasDatabase: boolean
  /**
   * How long a hold outlives the process that placed it; undefined where holds live in that process,
   * and a frozen one loses nothing but time.
   */
  readonly holdExpiryMs: number | undefined
  /** How often live requests may have lost what they hold: then others may have spent it. */
  holdLosses(): number
  /** Where a running replica listens. */
  origins(): readonly string[]
  /** Starts the replicas that are down. */
  start(): Promise<void>
  /** Sends SIGKILL to a replica; it is down until `start`. */
  kill(replica: number): Promise<void>
  freeze(replica: number): void
  thaw(replica: number): void
  hasFrozen(): boolean
  stopDatabase(how: 'killed' | 'in_order'): Promise<void>
  startDatabase(): Promise<void>
  breakStore(breakage: Breakage): Promise<void>
  mendStore(): Promise<void>
  moveClock(bySeconds: number): Promise<void>
  measure(): Promise<Measurement[]>
  /** True while charges wait in a file for the store. */
  hasSpilled(): boolean
  /** What the services have said last. */
  complaints(): readonly string[]
  close(): Promise<void>
}

export interface WorldOptions {
  readonly store: StoreOptions
  readonly upstreamUrls: readonly string[]
  /** Where the store is one that replicas share. */
  readonly postgres?: Postgres | undefined
  /** Processes on one store; an embedded one has a single owner. */
  readonly replicas?: number
}

/** A lease and one more round of renewals: src/gate/lease.ts. */
const SHARED_HOLD_EXPIRY_MS = 18_000
/** A lease of 15 s that was last renewed up to 3 s ago. */
const LEASE_AT_LEAST_MS = 12_000

export function openWorld(options: WorldOptions): World {
  return options.postgres ? openSharedWorld(options, options.postgres) : openLoneWorld(options)
}

/** One process with its embedded store, on a small disk. */
function openLoneWorld({ store, upstreamUrls }: WorldOptions): World {
  const disk = openDataDisk()
  const { dataDir } = disk
  const clock = createServiceClock()
  const replicas = createReplicas(1, () => {
    return { store, dataDir, upstreamUrls, nowMs: clock.nowMs(), clockPath: undefined }
  })
  const world: World = {
    ...createParts(replicas, disk, [dataDir]),
    clock,
    async start() {
      await replicas.startMissing()
      // The clock may have moved while it started.
      await world.moveClock(0)
      clock.noteStarted()
    },
    async kill(replica) {
      clock.noteKill()
      await replicas.kill(replica)
    },
    moveClock: (bySeconds) =>
      clock.move(bySeconds, async (nowMs) => {
        await Promise.all(replicas.orderAll({ kind: 'move-clock', nowMs }))
      }),
  }
  return world
}

/** Several processes on one database, which keeps their windows and holds. */
function openSharedWorld(options: WorldOptions, postgres: Postgres): World {
  const { store, upstreamUrls, replicas: count = 1 } = options
  const disk = openPlainDisk()
  const clock = createServiceClock()
  const clockPath = join(disk.dataDir, 'clock')
  const setClock = createClockFile(clockPath)
  setClock(clock.nowMs())
  const dirs = Array.from({ length: count }, (_, index) => makeReplicaDir(disk, index))
  const replicas = createReplicas(count, (index) => {
    const dataDir = dirs[index] as string
    return { store, dataDir, upstreamUrls, nowMs: clock.nowMs(), clockPath }
  })
  let crashes = 0
  const parts = createParts(replicas, disk, dirs)
  let endDoubt = (): void => {}
  return {
    ...parts,
    clock,
    hasDatabase: true,
    holdExpiryMs: SHARED_HOLD_EXPIRY_MS,
    holdLosses: () => crashes + parts.holdLosses(),
    start: () => replicas.startMissing(),
    kill: (replica) => replicas.kill(replica),
    async stopDatabase(how) {
      if (how === 'killed') crashes += 1
      endDoubt = clock.beginDoubt()
      await postgres.stop(how)
    },
    async startDatabase() {
      await postgres.start()
      await delay(UNDER_WAY_MS)
      endDoubt()
      endDoubt = () => {}
    },
    moveClock: (bySeconds) => moveSharedClock(clock, bySeconds, setClock),
  }
}

/** For admissions that have read the clock and wait for the database, or for a connection to it. */
const UNDER_WAY_MS = 300
/** Steps so small make no window twice: see below. */
const SMALL_STEP_S = 2

/**
 * A step of a window's length lets an admission of just before it end the new window, as a clock set
 * back does, and the next one begins it anew: of such a moment nothing is said about windows.
 */
async function moveSharedClock(
  clock: ServiceClock,
  bySeconds: number,
  set: (nowMs: number) => void,
): Promise<void> {
  const isSmall = bySeconds >= 0 && bySeconds <= SMALL_STEP_S
  const endDoubt = isSmall ? undefined : clock.beginDoubt()
  await clock.move(bySeconds, async (nowMs) => {
    set(nowMs)
    if (!isSmall) await delay(UNDER_WAY_MS)
  })
  endDoubt?.()
}

type Part = Omit<World, 'clock' | 'start' | 'kill' | 'moveClock'>

/** What is the same in both worlds. */
function createParts(replicas: Replicas, disk: DataDisk, dirs: readonly string[]): Part {
  const freezer = createFreezer(replicas, LEASE_AT_LEAST_MS)
  const notThere = async (): Promise<never> => {
    throw new Error('there is no database')
  }
  return {
    disk,
    replicas: replicas.count,
    hasDatabase: false,
    holdExpiryMs: undefined,
    holdLosses: freezer.longFreezes,
    origins: () => replicas.running().map(({ origin }) => origin),
    freeze: freezer.freeze,
    thaw: freezer.thaw,
    hasFrozen: freezer.hasFrozen,
    stopDatabase: notThere,
    startDatabase: notThere,
    async breakStore(breakage) {
      await Promise.all(replicas.orderAll({ kind: 'break-store', breakage }))
    },
    async mendStore() {
      await Promise.all(replicas.orderAll({ kind: 'mend-store' }))
    },
    async measure() {
      const measured = await Promise.all(replicas.orderAll({ kind: 'measure' }))
      return measured.filter((one) => one !== undefined)
    },
    hasSpilled: () => dirs.some(hasSpilledIn),
    complaints: () => replicas.running().flatMap(({ complaints }) => complaints),
    async close() {
      // A frozen process is killed like any other.
      for (let index = 0; index < replicas.count; index += 1) await replicas.kill(index)
      disk.mend()
      disk.remove()
    },
  }
}

function hasSpilledIn(dataDir: string): boolean {
  const spill = statSync(join(dataDir, 'spill.jsonl'), { throwIfNoEntry: false })
  return (spill?.size ?? 0) > 0
}
