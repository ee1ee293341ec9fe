import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Breakage, Measurement, StoreOptions } from '../service/orders.ts'
import { openDataDisk, type DataDisk } from './data-disk.ts'
import { createReplicas } from './replicas.ts'
import { createServiceClock, type ServiceClock } from './service-clock.ts'

/** The service under chaos with all that can be done to it from outside. */
export interface World {
  readonly disk: DataDisk
  readonly clock: Pick<ServiceClock, 'nowMs' | 'stamp'>
  readonly replicas: number
  /**
   * How long a hold outlives the process that placed it; undefined where holds live in that process,
   * and a frozen one loses nothing but time.
   */
  readonly holdExpiryMs: number | undefined
  /** Where a running replica listens. */
  origins(): readonly string[]
  /** Starts the replicas that are down. */
  start(): Promise<void>
  /** Sends SIGKILL to a replica; it is down until `start`. */
  kill(replica: number): Promise<void>
  freeze(replica: number): void
  thaw(replica: number): void
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
  /** Processes on one store; an embedded one has a single owner. */
  readonly replicas?: number
}

export function openWorld({ store, upstreamUrls, replicas: count = 1 }: WorldOptions): World {
  const disk = openDataDisk()
  const { dataDir } = disk
  const clock = createServiceClock()
  const replicas = createReplicas(count, () => {
    return { store, dataDir, upstreamUrls, nowMs: clock.nowMs() }
  })
  const world: World = {
    disk,
    clock,
    replicas: count,
    holdExpiryMs: undefined,
    origins: () => replicas.running().map(({ origin }) => origin),
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
    freeze: (replica) => replicas.get(replica)?.freeze(),
    thaw: (replica) => replicas.get(replica)?.thaw(),
    async breakStore(breakage) {
      await Promise.all(replicas.orderAll({ kind: 'break-store', breakage }))
    },
    async mendStore() {
      await Promise.all(replicas.orderAll({ kind: 'mend-store' }))
    },
    moveClock: (bySeconds) =>
      clock.move(bySeconds, async (nowMs) => {
        await Promise.all(replicas.orderAll({ kind: 'move-clock', nowMs }))
      }),
    async measure() {
      const measured = await Promise.all(replicas.orderAll({ kind: 'measure' }))
      return measured.filter((one) => one !== undefined)
    },
    hasSpilled() {
      const { size } = statSync(join(dataDir, 'spill.jsonl'), { throwIfNoEntry: false }) ?? {
        size: 0,
      }
      return size > 0
    },
    complaints: () => replicas.running().flatMap(({ complaints }) => complaints),
    async close() {
      // A frozen process is killed like any other.
      for (let index = 0; index < count; index += 1) await replicas.kill(index)
      disk.mend()
      disk.remove()
    },
  }
  return world
}
