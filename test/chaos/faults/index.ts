import type { Engine } from '#platform/store/index.ts'
import { clientFaults } from './client-faults.ts'
import { clockFaults } from './clock-faults.ts'
import { databaseFaults } from './database-faults.ts'
import type { Fault } from './fault.ts'
import { processFaults } from './process-faults.ts'
import { storeFaults } from './store-faults.ts'
import { upstreamFaults } from './upstream-faults.ts'

export type { Fault, Scene } from './fault.ts'

/** Everything that can go wrong, by the name that `--only` knows it by. */
export const FAULTS = {
  ...processFaults,
  ...storeFaults,
  ...upstreamFaults,
  ...clientFaults,
  ...clockFaults,
  ...databaseFaults,
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS

const ALL_NAMES = Object.keys(FAULTS) as FaultName[]

/** What there is no sense in doing to a store of the other kind. */
const NOT_ON: Readonly<Record<Engine, readonly FaultName[]>> = {
  sqlite: ['database-restart'],
  postgres: ['disk-full', 'disk-read-only'],
}

export function listFaultNames(engine: Engine): FaultName[] {
  return ALL_NAMES.filter((name) => !NOT_ON[engine].includes(name))
}

/** Of the embedded store. */
export const FAULT_NAMES = listFaultNames('sqlite')

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(FAULTS, text)
}
