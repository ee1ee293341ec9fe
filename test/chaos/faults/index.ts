import { clientFaults } from './client-faults.ts'
import { clockFaults } from './clock-faults.ts'
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
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

export function isFaultName(text: string): text is FaultName {
  return Object.hasOwn(FAULTS, text)
}
