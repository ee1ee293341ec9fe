/**
 * Money is an integer of nano-euros (10⁻⁹ €), so that a price per million tokens is an integer per
 * token and nothing is ever rounded. It turns into a decimal string only at the edges.
 */
export type NanoEuro = number & { readonly __unit: 'nano-euro' }

export const ZERO = 0 as NanoEuro
export const NANO_PER_EURO = 1_000_000_000

/** Above this a sum could leave the integers a double holds exactly (about nine million euros). */
export const MAX_BALANCE = 9_000_000_000_000_000 as NanoEuro

/** Asserts what the type says: a safe integer. Anything else here is a bug of ours, not bad input. */
export function nano(amount: number): NanoEuro {
  if (!Number.isSafeInteger(amount)) throw new Error(`not an exact amount: ${amount}`)
  return amount as NanoEuro
}

export function addNano(a: NanoEuro, b: NanoEuro): NanoEuro {
  return nano(a + b)
}

export function subtractNano(a: NanoEuro, b: NanoEuro): NanoEuro {
  return nano(a - b)
}

export function minNano(a: NanoEuro, b: NanoEuro): NanoEuro {
  return a < b ? a : b
}

export function maxNano(a: NanoEuro, b: NanoEuro): NanoEuro {
  return a > b ? a : b
}

const EUROS = /^(\d{1,7})(?:\.(\d{1,9}))?$/

/** Reads euros such as "10", "0.5" or "1.000000001"; undefined for what is none, or above the most. */
export function parseEuros(text: string): NanoEuro | undefined {
  const match = EUROS.exec(text)
  if (!match) return undefined
  const [, whole = '', decimals = ''] = match
  const amount = Number(whole) * NANO_PER_EURO + Number(decimals.padEnd(9, '0'))
  return amount <= MAX_BALANCE ? nano(amount) : undefined
}

/**
 * Writes euros exactly, with at least two decimals: 1000000000 is "1.00", 260 is "0.00000026". A sum
 * over all accounts may be beyond what a number is exact for: those are bigints.
 */
export function formatEuros(amount: NanoEuro | bigint): string {
  const sign = amount < 0 ? '-' : ''
  const digits = amount.toString().replace('-', '').padStart(10, '0')
  const decimals = digits.slice(-9).replace(/0{1,7}$/, '')
  return `${sign}${digits.slice(0, -9)}.${decimals}`
}
