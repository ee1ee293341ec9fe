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

/**
 * Only what was changed is sent: what another operator has changed meanwhile stays as they want it.
 * Undefined where the ceiling is no amount.
 */
export function readLimitChanges(account: Account, limits: Limits): LimitChanges | undefined {
  const ceiling = limits.ceiling.trim()
  // Nothing at all may be spent under a ceiling of 0.
  if (ceiling !== '' && !/^\d{1,7}(\.\d{1,9})?$/.test(ceiling)) return undefined
  const minTier = TIERS.find((tier) => String(tier) === limits.minTier)
  const plan = PLANS.find((one) => one === limits.plan)
  return {
    ...(minTier !== undefined && minTier !== account.min_tier && { min_tier: minTier }),
    ...(plan !== undefined && plan !== account.plan && { plan }),
    ...(ceiling !== (account.daily_ceiling_eur ?? '') && {
      daily_ceiling_eur: ceiling === '' ? null : ceiling,
    }),
  }
}

/** As the form begins, and begins anew when it was saved. */
export function limitsOf({ min_tier: minTier, plan, daily_ceiling_eur: ceiling }: Account): Limits {
  return { minTier: String(minTier), plan, ceiling: ceiling ?? '' }
}
