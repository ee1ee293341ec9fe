import type { Funds, KeySpend } from '#platform/funds.ts'
import type { NanoEuro } from '#platform/money.ts'
import type { Tier, TierNumber } from './tiers.ts'

/**
 * Admission. Decides in one atomic step whether a request may go on, and holds the most that it can
 * cost until it is settled. Knows counts and amounts, not what they are for.
 */
export interface Gate {
  /**
   * Who a key belongs to. The answer may be as old as the caller allows: 0 sees every change that was
   * made before it was asked, more is for those who `admit` afterwards, which looks again.
   */
  recognise(keyHash: string, maxAgeMs: number): Promise<Recognition>
  /** Counts the request and, if it is valid, checks every limit and places the hold. */
  admit(request: AdmissionRequest): Promise<Admission>
  /** Ends a hold whose charge is booked: counts the tokens that were really used. */
  settle(hold: Hold, settlement: Settlement): Allowance
  /** Ends a hold that nothing is charged for. */
  release(hold: Hold): Promise<Allowance>
  /** How an account stands at this moment. Counts nothing; the account must exist. */
  look(accountId: string): Promise<Look>
  /** What live requests of accounts hold now; those that hold nothing may be missing. */
  held(accountIds: readonly string[]): Promise<ReadonlyMap<string, NanoEuro>>
  /** Forget what was kept of a key or an account: the next request sees what the store says. */
  forgetKey(keyHash: string): void
  forgetAccount(accountId: string): void
  close(): Promise<void>
}

/** Where the gate learns what it does not keep: who owns a key, how an account stands. */
export interface GateSource {
  /** Undefined where no key has this hash, or it was revoked. */
  findKey(keyHash: string): Promise<Key | undefined>
  readStanding(accountId: string): Promise<Standing>
  /** Asked of keys alone that have a ceiling. */
  readKeySpend(key: KeyOwner): Promise<KeySpend>
}

export interface KeyOwner {
  readonly keyId: string
  readonly accountId: string
}

/** A key with the limits of its own. */
export interface Key extends KeyOwner {
  /** From this instant on the key is unknown; null where it does not expire. */
  readonly expiresAtMs: number | null
  /** The most that may be spent with it on a UTC day; null where none is set. */
  readonly ceiling: NanoEuro | null
}

export interface Standing {
  readonly suspended: boolean
  readonly minTier: TierNumber
  /** The most that may be spent on a UTC day; null where none is set. */
  readonly ceiling: NanoEuro | null
  readonly funds: Funds
}

/** An account as the next request of it would find it. */
export interface Look {
  readonly standing: Standing
  readonly allowance: Allowance
  /** What its live requests hold. */
  readonly held: NanoEuro
  readonly spentToday: NanoEuro
  /** Of the day's ceiling, less what is held; null where none is set. */
  readonly ceilingLeft: NanoEuro | null
  /** What would refuse it, whatever it asks for, by whichever key. */
  readonly blocker: 'suspended' | Exclude<Refusal['limit'], 'key_ceiling'> | null
  readonly atMs: number
}

export type Recognition =
  | ({ readonly kind: 'recognised' } & KeyOwner)
  | { readonly kind: 'unknown' }
  | { readonly kind: 'suspended' }

export interface AdmissionRequest {
  readonly keyHash: string
  /** Unique: the hold is known by it. */
  readonly requestId: string
  /** What to hold; null where the request is not valid, and is only counted. */
  readonly wanted: { readonly cost: NanoEuro; readonly tokens: number } | null
}

export type Admission =
  | { readonly kind: 'admitted'; readonly hold: Hold; readonly allowance: Allowance }
  | { readonly kind: 'counted'; readonly allowance: Allowance }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly allowance: Allowance }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'suspended' }

/** The one limit that a request met first, with what its caller needs to know about it. */
export type Refusal =
  | { readonly limit: 'requests'; readonly retryAfterS: number }
  | { readonly limit: 'ceiling'; readonly retryAfterS: number; readonly ceiling: NanoEuro }
  | {
      readonly limit: 'key_ceiling'
      readonly retryAfterS: number
      readonly ceiling: NanoEuro
      /** By this key alone: spent today, held by its live requests, and wanted by this one. */
      readonly spent: NanoEuro
      readonly held: NanoEuro
      readonly cost: NanoEuro
    }
  | {
      readonly limit: 'balance'
      readonly balance: NanoEuro
      readonly held: NanoEuro
      readonly cost: NanoEuro
    }
  | {
      readonly limit: 'tokens'
      readonly retryAfterS: number
      readonly wanted: number
      /** True where waiting does not help: a whole minute's tokens would not be enough. */
      readonly neverFits: boolean
    }

/** A place taken in an account's limits by one live request. */
export interface Hold {
  readonly requestId: string
  readonly accountId: string
  readonly keyId: string
  readonly cost: NanoEuro
  readonly tokens: number
  readonly windowNumber: number
  /** True where its charge must say what its key has spent: see Settlement. */
  readonly needsKeySpent: boolean
}

export interface Settlement {
  readonly tokens: number
  /** The account's funds after the charge. */
  readonly funds: Funds
  /** What its key was charged on `funds.spentDay`, this charge included, where the hold needs it. */
  readonly keySpent?: NanoEuro | undefined
  /** What the gate's own step in the charge's commit said, where the store takes one. */
  readonly alongside?: unknown
}

/** What is left of an account's limits at one moment: all that the rate-limit headers say. */
export interface Allowance {
  readonly tier: Tier
  readonly requestsLeft: number
  readonly tokensLeft: number
  /** When the window ends, in epoch milliseconds. */
  readonly resetMs: number
  /** Seconds from this moment to the window's end, at least 1. */
  readonly resetS: number
}
