import type { Funds } from '#platform/funds.ts'
import { addNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import { untilMidnightMs, utcDay } from '#platform/clock.ts'
import type { Allowance, Hold, KeyOwner, Refusal, Settlement, Standing } from './gate.ts'
import { tierOf } from './tiers.ts'

export const WINDOW_MS = 60_000

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
export function refuseForRequests(state: AccountState, nowMs: number): Refusal | undefined {
  const { requestsPerMinute } = tierOf(state.standing.funds, state.standing.minTier)
  if (state.requests <= requestsPerMinute) return undefined
  return { limit: 'requests', retryAfterS: secondsLeft(state, nowMs) }
}

/** The first limit that a valid request would break, in the order of the contract. */
export function refuse(
  state: AccountState,
  wanted: { readonly cost: NanoEuro; readonly tokens: number },
  nowMs: number,
): Refusal | undefined {
  const { ceiling, funds, minTier } = state.standing
  if (ceiling !== null && addNano(spentToday(funds, nowMs), state.held) >= ceiling) {
    return { limit: 'ceiling', retryAfterS: Math.ceil(untilMidnightMs(nowMs) / 1000), ceiling }
  }
  if (subtractNano(funds.balance, state.held) < wanted.cost) {
    return { limit: 'balance', balance: funds.balance, held: state.held, cost: wanted.cost }
  }
  const { tokensPerMinute } = tierOf(funds, minTier)
  if (state.tokens + wanted.tokens > tokensPerMinute) {
    const neverFits = wanted.tokens > tokensPerMinute
    return {
      limit: 'tokens',
      retryAfterS: secondsLeft(state, nowMs),
      wanted: wanted.tokens,
      neverFits,
    }
  }
  return undefined
}

export function placeHold(
  state: AccountState,
  owner: KeyOwner,
  wanted: { readonly cost: NanoEuro; readonly tokens: number },
): Hold {
  state.held = addNano(state.held, wanted.cost)
  state.holds += 1
  state.tokens += wanted.tokens
  return { ...owner, ...wanted, windowNumber: state.windowNumber }
}

export function settleHold(state: AccountState, hold: Hold, settlement: Settlement): void {
  state.held = subtractNano(state.held, hold.cost)
  state.holds -= 1
  // A reservation of a window that is over has gone with it.
  if (hold.windowNumber === state.windowNumber) state.tokens += settlement.tokens - hold.tokens
  if (settlement.funds) {
    const funds = laterFunds(state.standing.funds, settlement.funds)
    state.standing = { ...state.standing, funds }
  }
}

export function adoptStanding(state: AccountState, standing: Standing): void {
  state.standing = { ...standing, funds: laterFunds(state.standing.funds, standing.funds) }
  state.stale = false
}

/** News may come out of order: the higher version is the later one. */
function laterFunds(a: Funds, b: Funds): Funds {
  return a.version > b.version ? a : b
}

export function describeAllowance(state: AccountState, nowMs: number): Allowance {
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

function secondsLeft(state: AccountState, nowMs: number): number {
  return Math.max(1, Math.ceil((state.windowStartMs + WINDOW_MS - nowMs) / 1000))
}

function spentToday(funds: Funds, nowMs: number): NanoEuro {
  return funds.spentDay >= utcDay(nowMs) ? funds.spent : ZERO
}
