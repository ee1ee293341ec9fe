import { createGroupCommit, type GroupCommit } from '#platform/group-commit.ts'
import { ZERO, type NanoEuro } from '#platform/money.ts'
import {
  isConnectionLost,
  isStoreUnavailable,
  type PostgresStore,
  type Statement,
} from '#platform/store/index.ts'
import { describeAllowance, describeRefusal } from './account-state.ts'
import type { Admission, AdmissionRequest, Refusal, Standing } from './gate.ts'
import type { KeyUse } from './key-use.ts'
import type { Lease } from './lease.ts'
import { SECOND_FROM, THIRD_ABOVE, TIERS, type TierNumber } from './tiers.ts'

/** What the database decided, and how the account stood then. */
export interface Admitted {
  readonly admission: Admission
  readonly standing: Standing
}

export interface BatchAdmissionOptions {
  readonly store: Pick<PostgresStore, 'call'>
  readonly lease: Lease
  readonly nowMs: () => number | null
  /** These requests were refused, but the database may have placed their holds. */
  readonly onUnknownOutcome: (requestIds: readonly string[]) => void
}

/** Requests of one account wait for their turn beyond this, so that others are not kept waiting. */
const MAX_BATCH = 256

/** SQLSTATE of a replica without a lease: see sql/gate.sql. */
const NO_LEASE = 'PL001'

const admitStatement: Statement = {
  name: 'admit_requests',
  text: `select * from admit_requests(
    $1, $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8, $9, $10
  )`,
}

const TIERS_IN_ORDER = [TIERS[1], TIERS[2], TIERS[3]]
const TIER_REQUESTS = TIERS_IN_ORDER.map(({ requestsPerMinute }) => requestsPerMinute)
const TIER_TOKENS = TIERS_IN_ORDER.map(({ tokensPerMinute }) => tokensPerMinute)

/** A row of what admit_requests answers; all but `place` and `outcome` are null where a key is not known. */
interface AdmittedRow {
  readonly place: number
  readonly outcome: 'unknown' | 'suspended' | 'counted' | 'admitted' | Refusal['limit']
  readonly key_id: string
  readonly account_id: string
  readonly at_ms: number
  readonly window_start: number
  readonly window_number: number
  readonly requests: number
  readonly tokens: number
  readonly held_nano: NanoEuro
  readonly min_tier: TierNumber
  readonly ceiling_nano: NanoEuro | null
  readonly balance_nano: NanoEuro
  readonly deposits_nano: NanoEuro
  readonly spent_day: string
  readonly spent_nano: NanoEuro
  readonly version: number
  /** Null where the key has no ceiling; the other two as well where nothing was to be held. */
  readonly key_ceiling_nano: NanoEuro | null
  readonly key_spent_nano: NanoEuro | null
  readonly key_held_nano: NanoEuro | null
}

/** Admits in one call what arrives while the last call is under way. */
export function createBatchAdmission(
  options: BatchAdmissionOptions,
): GroupCommit<AdmissionRequest, Admitted> {
  const { store, lease, nowMs, onUnknownOutcome } = options

  function call(requests: readonly AdmissionRequest[]): Promise<AdmittedRow[]> {
    return store.call<AdmittedRow>(admitStatement, [
      lease.replicaId,
      requests.map(({ keyHash }) => keyHash),
      requests.map(({ requestId }) => requestId),
      requests.map(({ wanted }) => wanted?.cost ?? null),
      requests.map(({ wanted }) => wanted?.tokens ?? null),
      TIER_REQUESTS,
      TIER_TOKENS,
      SECOND_FROM,
      THIRD_ABOVE,
      nowMs(),
    ])
  }

  /** A replica that has just come up, or was away for long, has no lease yet. */
  async function callWithLease(requests: readonly AdmissionRequest[]): Promise<AdmittedRow[]> {
    try {
      return await call(requests)
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_LEASE) throw error
      await lease.restore()
      return call(requests)
    }
  }

  async function admit(requests: readonly AdmissionRequest[]): Promise<Admitted[]> {
    let rows: AdmittedRow[]
    try {
      rows = await callWithLease(requests)
    } catch (error) {
      // A connection that broke may have broken after the commit. What the database refused, or was
      // never asked, it has not placed.
      if (isConnectionLost(error)) onUnknownOutcome(requests.map(({ requestId }) => requestId))
      throw error
    }
    const admitted: Admitted[] = []
    for (const row of rows) {
      const place = row.place - 1
      admitted[place] = readRow(row, requests[place] as AdmissionRequest)
    }
    return admitted
  }

  return createGroupCommit(admit, {
    maxBatch: MAX_BATCH,
    lineOf: ({ keyHash }) => keyHash,
    concernsAll: isStoreUnavailable,
  })
}

function readRow(row: AdmittedRow, request: AdmissionRequest): Admitted {
  const standing: Standing = {
    suspended: row.outcome === 'suspended',
    minTier: row.min_tier,
    ceiling: row.ceiling_nano,
    funds: {
      balance: row.balance_nano,
      deposits: row.deposits_nano,
      spentDay: row.spent_day,
      spent: row.spent_nano,
      version: row.version,
    },
  }
  return { admission: readAdmission(row, standing, request), standing }
}

function readAdmission(
  row: AdmittedRow,
  standing: Standing,
  { requestId, wanted }: AdmissionRequest,
): Admission {
  const { outcome, at_ms: atMs } = row
  if (outcome === 'unknown' || outcome === 'suspended') return { kind: outcome }
  const state = {
    standing,
    held: row.held_nano,
    windowStartMs: row.window_start,
    requests: row.requests,
    tokens: row.tokens,
  }
  const allowance = describeAllowance(state, atMs)
  if (outcome === 'counted') return { kind: 'counted', allowance }
  const { cost, tokens } = wanted ?? { cost: ZERO, tokens: 0 }
  if (outcome !== 'admitted') {
    const refusal = describeRefusal(outcome, state, { cost, tokens }, atMs, readKeyUse(row))
    return { kind: 'refused', refusal, allowance }
  }
  const { key_id: keyId, account_id: accountId, window_number: windowNumber } = row
  // What keys have spent is asked where it is decided: in the database.
  const needsKeySpent = false
  const hold = { requestId, keyId, accountId, cost, tokens, windowNumber, needsKeySpent }
  return { kind: 'admitted', hold, allowance }
}

function readKeyUse(row: AdmittedRow): KeyUse | undefined {
  const { key_ceiling_nano: ceiling, key_spent_nano: spent, key_held_nano: held } = row
  if (ceiling === null || spent === null || held === null) return undefined
  return { ceiling, spent, held }
}
