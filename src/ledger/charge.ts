import type { Funds } from '#platform/funds.ts'
import type { NanoEuro } from '#platform/money.ts'
import type { Ending, UsageSource } from './tables.ts'

/** What one chat request cost and what the books keep of it: figures and names, never content. */
export interface Charge {
  /** The charge's key: committing it twice charges once. */
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly brand: string
  readonly model: string
  readonly promptTokens: number
  readonly completionTokens: number
  readonly usageSource: UsageSource
  /** Usage times rates. Where the balance is less, the rest is written off. */
  readonly cost: NanoEuro
  readonly finishReason: string | null
  readonly ended: Ending
  /** When the request arrived, in epoch milliseconds. */
  readonly createdAtMs: number
  readonly durationMs: number
  /** From the request's arrival to the upstream's first token; null where none came. */
  readonly firstTokenMs: number | null
  /** Whether to say what its key has spent on the day: an embedded store's gate must be told. */
  readonly needsKeySpent?: boolean
}

/** How a charge was made durable. */
export type Charging =
  | { readonly kind: 'booked'; readonly charged: Charged }
  /** The store is away: the charge is in a file, and its booking follows. */
  | { readonly kind: 'spilled'; readonly booked: Promise<Charged> }

export interface Charged {
  readonly charged: NanoEuro
  readonly writtenOff: NanoEuro
  /** The account's funds after it. */
  readonly funds: Funds
  /** What its key was charged on `funds.spentDay`, where an embedded store's charge asks for it. */
  readonly keySpent?: NanoEuro
  /** What the step said that was taken in the same commit, for whoever gave that step. */
  readonly alongside?: unknown
}
