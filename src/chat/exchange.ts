import type { Fault } from '#platform/fault.ts'
import type { Allowance, Hold } from '#gate/index.ts'
import type { Brand, Model, Prompt, UpstreamRequest } from '#models/index.ts'

/** What a caller asked for, checked against the contract. */
export interface ChatCall {
  readonly brand: Brand
  readonly prompt: Prompt
  /** Undefined where the caller left it out: the model's maximum. */
  readonly maxTokens: number | undefined
  readonly temperature: number | undefined
  readonly streamed: boolean
}

/** The request that brought it. */
export interface Arrival {
  readonly requestId: string
  readonly keyHash: string
  /** Whose key it is, as far as was known when the request came. */
  readonly accountId: string
  /** Epoch milliseconds, and the monotonic clock's at the same moment. */
  readonly atMs: number
  readonly monotonicMs: number
}

export type Attempt =
  | { readonly kind: 'admitted'; readonly exchange: Exchange }
  /** Refused; without an allowance where the key itself was. */
  | { readonly kind: 'refused'; readonly fault: Fault; readonly allowance: Allowance | undefined }

/** One admitted request, from its hold to its charge. */
export interface Exchange {
  readonly arrival: Arrival
  readonly model: Model
  readonly hold: Hold
  readonly request: UpstreamRequest
  readonly promptEstimate: number
  /** Cancels the upstream's work. */
  readonly cancel: AbortController
  /** What the rate-limit headers say; after the charge, what is left after it. */
  allowance: Allowance
  /** True once the client has gone. */
  left: boolean
}
