import { setTimeout as delay } from 'node:timers/promises'
import type { Order, ServeOptions } from '../service/orders.ts'
import { startServiceProcess, type ServiceProcess } from './service-process.ts'

/** The processes of one service: one for an embedded store, several where a store is shared. */
export interface Replicas {
  readonly count: number
  running(): readonly ServiceProcess[]
  /** Undefined while it is down. */
  get(index: number): ServiceProcess | undefined
  /** Starts those that are down. */
  startMissing(): Promise<void>
  kill(index: number): Promise<void>
  orderAll(order: Order): ReturnType<ServiceProcess['order']>[]
}

/** A start that fails while the disk is full is tried again, as a supervisor would. */
const START_TRIES = 20
const START_PAUSE_MS = 150

export function createReplicas(count: number, plan: (index: number) => ServeOptions): Replicas {
  const services = Array.from({ length: count }, (): ServiceProcess | undefined => undefined)
  /** One start at a time: an embedded store has one owner. */
  let starting: Promise<void> = Promise.resolve()

  async function startDown(): Promise<void> {
    for (const index of services.keys()) services[index] ??= await startPatiently(() => plan(index))
  }

  const replicas: Replicas = {
    count,
    running: () => services.filter((service) => service !== undefined),
    get: (index) => services[index],
    startMissing() {
      const started = starting.then(startDown)
      starting = started.catch(() => {})
      return started
    },
    async kill(index) {
      const service = services[index]
      services[index] = undefined
      await service?.kill()
    },
    orderAll: (order) => replicas.running().map((service) => service.order(order)),
  }
  return replicas
}

async function startPatiently(plan: () => ServeOptions): Promise<ServiceProcess> {
  for (let left = START_TRIES; ; left -= 1) {
    try {
      return await startServiceProcess(plan())
    } catch (error) {
      if (left <= 1) throw error
      await delay(START_PAUSE_MS)
    }
  }
}
