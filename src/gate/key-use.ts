import { addNano, type NanoEuro } from '#platform/money.ts'

/** How far a key has come towards its ceiling: what it spent today, and what its live requests hold. */
export interface KeyUse {
  readonly ceiling: NanoEuro
  readonly spent: NanoEuro
  readonly held: NanoEuro
}

/** Unlike an account's ceiling, which the request that reaches it may pass, a key's is never passed. */
export function exceedsKeyCeiling({ ceiling, spent, held }: KeyUse, cost: NanoEuro): boolean {
  return addNano(addNano(spent, held), cost) > ceiling
}

/** From its expiry on a key is as unknown as one that was never made. */
export function hasExpired(
  { expiresAtMs }: { readonly expiresAtMs: number | null },
  nowMs: number,
): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs
}
