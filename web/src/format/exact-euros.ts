/**
 * Sums of what the service wrote, to the last decimal: euros as text in, euros as text out. Only for
 * figures that no answer has, such as those of one model over many days.
 */
export function addEuros(amounts: readonly string[]): string {
  return writeNano(amounts.reduce((sum, amount) => sum + readNano(amount), 0n))
}

/** For sorting: below zero where the first is less. */
export function compareEuros(one: string, other: string): number {
  const difference = readNano(one) - readNano(other)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** What is missing from one amount to another; "0.00" where nothing is. */
export function missingEuros(have: string, wanted: string): string {
  const missing = readNano(wanted) - readNano(have)
  return writeNano(missing > 0n ? missing : 0n)
}

const DECIMALS = 9

function readNano(euros: string): bigint {
  const isNegative = euros.startsWith('-')
  const [whole = '', decimals = ''] = euros.replace('-', '').split('.', 2)
  const amount = BigInt(whole + decimals.padEnd(DECIMALS, '0'))
  return isNegative ? -amount : amount
}

function writeNano(amount: bigint): string {
  const sign = amount < 0n ? '-' : ''
  const digits = String(amount)
    .replace('-', '')
    .padStart(DECIMALS + 1, '0')
  const decimals = digits.slice(-DECIMALS).replace(/0{1,7}$/, '')
  return `${sign}${digits.slice(0, -DECIMALS)}.${decimals}`
}
