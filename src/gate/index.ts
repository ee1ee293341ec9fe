export { createMemoryGate } from './memory-gate.ts'
export { countLiveReplicas, keepReplicasOut } from './live-replicas.ts'
export { gateMigrations } from './migrations.ts'
export { createPostgresGate, SETTLE_ALONGSIDE } from './postgres-gate.ts'
export {
  nextTierOf,
  tierOf,
  TIER_FROM,
  TIERS,
  type NextTier,
  type Tier,
  type TierNumber,
} from './tiers.ts'
export type {
  Admission,
  AdmissionRequest,
  Allowance,
  Gate,
  GateSource,
  Hold,
  Key,
  Look,
  Recognition,
  Refusal,
  Settlement,
  Standing,
} from './gate.ts'
