import { nano, subtractNano, type NanoEuro } from '#platform/money.ts'

/** Of a per cent: rates have at most so many decimals. */
const PER_PERCENT = 10_000
const NANO_PER_CENT = 10_000_000n

export interface TaxSplit {
  readonly net: NanoEuro
  readonly tax: NanoEuro
}

/**
 * What of an amount is tax, at a rate in per cent that the amount includes. The tax is rounded to a cent,
 * half a cent up; all the rest is net, so that both are the amount again, exactly. A rate is taken to
 * four decimals.
 */
export function splitTax(amount: NanoEuro, vatRate: number): TaxSplit {
  const rate = BigInt(Math.round(vatRate * PER_PERCENT))
  const divisor = (BigInt(100 * PER_PERCENT) + rate) * NANO_PER_CENT
  const cents = (2n * BigInt(amount) * rate + divisor) / (2n * divisor)
  const tax = nano(Number(cents * NANO_PER_CENT))
  return { net: subtractNano(amount, tax), tax }
}
