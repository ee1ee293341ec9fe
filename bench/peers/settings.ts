import type { Running } from './contestant.ts'
import type { Load, Target } from './load-process.ts'
import { findWorkload, WORKLOADS, type ModelName, type Workload } from './workloads.ts'

/** What is asked of everybody in one and the same way. */
export interface Setting {
  /** As it stands in the tables: "JSON 2 KB × 64". */
  readonly name: string
  readonly workload: Workload
  readonly concurrency: number
  readonly statuses: Load['statuses']
  /** Undefined of who cannot be asked so. */
  readonly targetOf: (running: Running) => Target | undefined
}

const REFUSED_AT_ONCE = 64

export const SETTINGS: readonly Setting[] = [
  ...WORKLOADS.flatMap((workload) =>
    workload.concurrencies.map((concurrency) => ({
      name: nameOf(workload.name, concurrency),
      workload,
      concurrency,
      statuses: [200],
      targetOf: (running: Running) => running.target(workload.model),
    })),
  ),
  {
    name: nameOf('401', REFUSED_AT_ONCE),
    workload: findWorkload('JSON 2 KB'),
    concurrency: REFUSED_AT_ONCE,
    statuses: [401],
    targetOf: ({ refusals }) => refusals.unauthorized,
  },
  {
    name: nameOf('429', REFUSED_AT_ONCE),
    workload: findWorkload('JSON 2 KB'),
    concurrency: REFUSED_AT_ONCE,
    // Those that are within the limit pass.
    statuses: [429, 200],
    targetOf: ({ refusals }) => refusals.limited,
  },
]

function nameOf(what: string, concurrency: number): string {
  return `${what} × ${concurrency}`
}

export function findSetting(name: string): Setting {
  const found = SETTINGS.find((setting) => setting.name === name)
  if (!found) throw new Error(`there is no setting ${name}`)
  return found
}

export const NO_REPLIES: Readonly<Record<ModelName, number>> = { air: 0, prime: 0, nova: 0 }
