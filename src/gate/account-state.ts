import type { Funds } from '#platform/funds.ts'
import { addNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import { untilMidnightMs, utcDay } from '#platform/clock.ts'
import type { AdmissionRequest, Allowance, Hold, KeyOwner, Refusal, Standing } from './gate.ts'
import { tierOf } from './tiers.ts'

export const WINDOW_MS = 60_000

type Wanted = NonNullable<AdmissionRequest['wanted']>

/** One account at the gate. Changed only within this file, always in one synchronous step. */
export interface AccountState {
  standing: Standing
  /** True where the store may say something newer: read it before the next decision. */
  stale: boolean
  held: NanoEuro
  holds: number
  windowStartMs: number
  /** Tells windows apart, also where a clock that was set back lets two start at one instant. */
  windowNumber: number
  requests: number
  tokens: number
}

export function createAccountState(standing: Standing): AccountState {
  // The first request finds a window that is over, and starts its own.
  return {
    standing,
    stale: false,
    held: ZERO,
    holds: 0,
    windowStartMs: Number.NEGATIVE_INFINITY,
    windowNumber: 0,
    requests: 0,
    tokens: 0,
  }
}

export function isIdle(state: AccountState, nowMs: number): boolean {
  return state.holds === 0 && !isCurrent(state.windowStartMs, nowMs)
}

/** Counts a request, whatever becomes of it, in a window that is current. */
export function countRequest(state: AccountState, nowMs: number): void {
  if (!isCurrent(state.windowStartMs, nowMs)) {
    state.windowStartMs = nowMs
    state.windowNumber += 1
    state.requests = 0
    state.tokens = 0
  }
  state.requests += 1
}

/** A window that seems to start in the future is over: the clock was set back. */
export function isCurrent(windowStartMs: number, nowMs: number): boolean {
  return windowStartMs <= nowMs && nowMs < windowStartMs + WINDOW_MS
}

/** The request limit alone: what is asked of a request that is not valid, too. */
export function exceedsRequests({ standing, requests }: AccountState): boolean {
  return requests > tierOf(standing.funds, standing.minTier).requestsPerMinute
}

/** The first limit that a valid request would break, in the order of the contract. */
export function findBrokenLimit(
  { standing, held, tokens }: AccountState,
  wanted: Wanted,
  nowMs: number,
): Refusal['limit'] | undefined {
  const { ceiling, funds, minTier } = standing
  if (ceiling !== null && addNano(spentToday(funds, nowMs), held) >= ceiling) return 'ceiling'
  if (subtractNano(funds.balance, held) < wanted.cost) return 'balance'
  if (tokens + wanted.tokens > tierOf(funds, minTier).tokensPerMinute) return 'tokens'
  return undefined
}

/** What a refused request's caller needs to know about the limit that it met. */
export function describeRefusal(
  limit: Refusal['limit'],
  { standing, held, windowStartMs }: Pick<AccountState, 'standing' | 'held' | 'windowStartMs'>,
  { cost, tokens }: Wanted,
  nowMs: number,
): Refusal {
  const { ceiling, funds, minTier } = standing
  const retryAfterS = Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000))
  switch (limit) {
    case 'requests':
      return { limit, retryAfterS }
    case 'ceiling':
      return {
        limit,
        retryAfterS: Math.ceil(untilMidnightMs(nowMs) / 1000),
        ceiling: ceiling ?? ZERO,
      }
    case 'balance':
      return { limit, balance: funds.balance, held, cost }
    case 'tokens': {
      const neverFits = tokens > tierOf(funds, minTier).tokensPerMinute
      return { limit, retryAfterS, wanted: tokens, neverFits }
    }
  }
}

export function placeHold(
  state: AccountState,
  owner: KeyOwner,
  requestId: string,
  wanted: Wanted,
): Hold {
  state.held = addNano(state.held, wanted.cost)
  state.holds += 1
  state.tokens += wanted.tokens
  return { requestId, ...owner, ...wanted, windowNumber: state.windowNumber }
}

/** Gives back what was held, and counts the tokens that were used in place of those reserved. */
export function endHold(state: AccountState, hold: Hold, usedTokens: number): void {
  state.held = subtractNano(state.held, hold.cost)
  state.holds -= 1
  // A reservation of a window that is over has gone with it.
  if (hold.windowNumber === state.windowNumber) state.tokens += usedTokens - hold.tokens
}

export function adoptFunds(state: AccountState, funds: Funds): void {
  state.standing = { ...state.standing, funds: laterFunds(state.standing.funds, funds) }
}

export function adoptStanding(state: AccountState, standing: Standing): void {
  state.standing = { ...standing, funds: laterFunds(state.standing.funds, standing.funds) }
  state.stale = false
}

/** News may come out of order: the higher version is the later one. */
function laterFunds(a: Funds, b: Funds): Funds {
  return a.version > b.version ? a : b
}

/** What the headers say. */
export function describeAllowance(
  state: Pick<AccountState, 'standing' | 'windowStartMs' | 'requests' | 'tokens'>,
  nowMs: number,
): Allowance {
  const tier = tierOf(state.standing.funds, state.standing.minTier)
  const current = isCurrent(state.windowStartMs, nowMs)
  const resetMs = current ? state.windowStartMs + WINDOW_MS : nowMs + WINDOW_MS
  return {
    tier,
    requestsLeft: Math.max(0, tier.requestsPerMinute - (current ? state.requests : 0)),
    tokensLeft: Math.max(0, tier.tokensPerMinute - (current ? state.tokens : 0)),
    resetMs,
    resetS: Math.max(1, Math.ceil((resetMs - nowMs) / 1000)),
  }
}

export function spentToday(funds: Funds, nowMs: number): NanoEuro {
  return funds.spentDay >= utcDay(nowMs) ? funds.spent : ZERO
}
