import type { Stamp } from '../world/service-clock.ts'
import type { RoundAccount } from './accounts.ts'

export const BRANDS = ['air', 'prime', 'nova'] as const
export type Brand = (typeof BRANDS)[number]

/** One request as its client saw it: the account of money that owes nothing to the service's own. */
export interface Attempt {
  readonly account: RoundAccount
  readonly brand: Brand
  readonly maxTokens: number
  readonly sentAt: Stamp
  readonly endedAt: Stamp
  /** Undefined where the connection broke before any head came. */
  readonly head: Head | undefined
  readonly end: End
}

export interface Head {
  readonly status: number
  readonly requestId: string
  /** Epoch seconds at which the request's window ends; undefined where the gate was not asked. */
  readonly windowEndsS: number | undefined
}

export type End =
  /** The whole reply came, to the last byte: the service has said that it is paid. */
  | { readonly kind: 'whole'; readonly usage: Usage; readonly finishReason: string }
  | { readonly kind: 'refused'; readonly code: string }
  /** One of the two has gone before the end. */
  | { readonly kind: 'broken' }

/** As it is on the wire. */
export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** The contract's prices, in nano-euros a token: written down here again, for the service's may be wrong. */
const RATES = {
  air: { input: 260n, output: 3_100n },
  prime: { input: 1_800n, output: 6_200n },
  nova: { input: 3_200n, output: 9_500n },
} as const

export function priceOf(brand: Brand, usage: Usage): bigint {
  const { input, output } = RATES[brand]
  return BigInt(usage.prompt_tokens) * input + BigInt(usage.completion_tokens) * output
}
