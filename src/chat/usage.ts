import { nano, type NanoEuro } from '#platform/money.ts'
import type { Rates } from '#models/index.ts'

/** The tokens of one reply, as they are shown and billed. Reasoning is output. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Exact: rates are whole nano-euros a token. */
export function priceUsage(usage: Usage, rates: Rates): NanoEuro {
  return nano(usage.promptTokens * rates.input + usage.completionTokens * rates.output)
}
