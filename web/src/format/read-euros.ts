/**
 * An amount as somebody typed it, with a comma or a point before its decimals, as the contract writes
 * it; undefined for what is no amount. "1.000" is one euro to some and a thousand to others: where money
 * is at stake that is not guessed at.
 */
export function readEuros(typed: string): string | undefined {
  const text = typed.replaceAll(/[\s€]/g, '').replace(',', '.')
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(text)) return undefined
  return /^\d{1,7}(\.\d{1,9})?$/.test(text) ? text : undefined
}
