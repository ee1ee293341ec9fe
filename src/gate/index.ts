export { createMemoryGate } from './memory-gate.ts'
export { tierOf, TIERS, type Tier, type TierNumber } from './tiers.ts'
export type {
  Admission,
  AdmissionRequest,
  Allowance,
  Gate,
  GateSource,
  Hold,
  Recognition,
  Refusal,
  Settlement,
  Standing,
} from './gate.ts'
