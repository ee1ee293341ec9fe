import { maxNano, nano, NANO_PER_EURO, type NanoEuro } from '#platform/money.ts'

export type TierNumber = 1 | 2 | 3

export interface Tier {
  readonly number: TierNumber
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
}

export const TIERS: Readonly<Record<TierNumber, Tier>> = {
  1: { number: 1, requestsPerMinute: 10, tokensPerMinute: 10_000 },
  2: { number: 2, requestsPerMinute: 100, tokensPerMinute: 200_000 },
  3: { number: 3, requestsPerMinute: 500, tokensPerMinute: 1_000_000 },
}

export const SECOND_FROM = 10 * NANO_PER_EURO
export const THIRD_ABOVE = 100 * NANO_PER_EURO

/** What the higher of deposits and balance must be: 10 € or more for the second, above 100 € for the third. */
export const TIER_FROM: Readonly<Record<TierNumber, NanoEuro>> = {
  1: nano(0),
  2: nano(SECOND_FROM),
  3: nano(THIRD_ABOVE),
}

/** The tier that an account has now: by the higher of deposits and balance, never below its minimum. */
export function tierOf(
  funds: { readonly balance: NanoEuro; readonly deposits: NanoEuro },
  minTier: TierNumber,
): Tier {
  const earned = earnedTier(maxNano(funds.balance, funds.deposits))
  return TIERS[earned > minTier ? earned : minTier]
}

/** What lifts an account to the tier above: the higher of deposits and balance counts. */
export interface NextTier {
  readonly tier: Tier
  /** To be reached for the second tier, to be passed for the third. */
  readonly from: NanoEuro
  readonly have: NanoEuro
}

/** Undefined where there is none above. */
export function nextTierOf(
  funds: { readonly balance: NanoEuro; readonly deposits: NanoEuro },
  minTier: TierNumber,
): NextTier | undefined {
  const have = maxNano(funds.balance, funds.deposits)
  switch (tierOf(funds, minTier).number) {
    case 1:
      return { tier: TIERS[2], from: TIER_FROM[2], have }
    case 2:
      return { tier: TIERS[3], from: TIER_FROM[3], have }
    case 3:
      return undefined
  }
}

function earnedTier(worth: NanoEuro): TierNumber {
  if (worth > THIRD_ABOVE) return 3
  return worth >= SECOND_FROM ? 2 : 1
}
