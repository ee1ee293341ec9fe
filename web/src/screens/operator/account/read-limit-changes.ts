import type { Account } from '../account-queries.ts'

/** As they stand in the form. */
export interface Limits {
  readonly minTier: string
  readonly plan: string
  /** Empty: none. */
  readonly ceiling: string
}

export interface LimitChanges {
  min_tier?: Account['min_tier']
  plan?: Account['plan']
  daily_ceiling_eur?: string | null
}

const TIERS = [1, 2, 3] as const
const PLANS = ['FREE', 'LITE', 'PRO', 'ELITE'] as const

export function limitsOf({ min_tier: minTier, plan, daily_ceiling_eur: ceiling }: Account): Limits {
  return { minTier: String(minTier), plan, ceiling: ceiling ?? '' }
}

/**
 * Only what was edited is sent: what another operator changes meanwhile stays as they want it.
 * Undefined where the ceiling is no amount.
 */
export function readLimitChanges(edits: Partial<Limits>): LimitChanges | undefined {
  const ceiling = edits.ceiling?.trim()
  // Under a ceiling of 0 nothing at all may be spent.
  if (ceiling !== undefined && !/^(\d{1,7}(\.\d{1,9})?)?$/.test(ceiling)) return undefined
  const minTier = TIERS.find((tier) => String(tier) === edits.minTier)
  const plan = PLANS.find((one) => one === edits.plan)
  return {
    ...(minTier !== undefined && { min_tier: minTier }),
    ...(plan !== undefined && { plan }),
    ...(ceiling !== undefined && { daily_ceiling_eur: ceiling === '' ? null : ceiling }),
  }
}
