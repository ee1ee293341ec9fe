/**
 * What so many tokens cost, exactly, at EUR for a million. Prices are whole nano-euros a token, so three
 * decimals a million.
 */
export function priceTokens(tokens: number, eurPerMillion: number): string {
  const nanoPerToken = BigInt(Math.round(eurPerMillion * 1_000))
  const nano = String(BigInt(tokens) * nanoPerToken).padStart(10, '0')
  const [whole, decimals] = [nano.slice(0, -9), nano.slice(-9).replace(/0+$/, '')]
  return `${whole}.${decimals.padEnd(2, '0')}`
}
