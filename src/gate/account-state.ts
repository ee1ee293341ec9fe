import type { Funds, KeySpend } from '#platform/funds.ts'
import { addNano, subtractNano, ZERO, type NanoEuro } from '#platform/money.ts'
import { untilMidnightMs, utcDay } from '#platform/clock.ts'
import type { AdmissionRequest, Allowance, Hold, Key, Refusal, Standing } from './gate.ts'
import { exceedsKeyCeiling, type KeyUse } from './key-use.ts'
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
  readonly keys: Map<string, KeyState>
}

/** One of its keys: what its live requests hold and, where that had to be read, what it has spent. */
interface KeyState {
  held: NanoEuro
  spend: KeySpend | undefined
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
    keys: new Map(),
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
  keyUse: KeyUse | undefined,
): Refusal['limit'] | undefined {
  const { ceiling, funds, minTier } = standing
  if (ceiling !== null && addNano(spentToday(funds, nowMs), held) >= ceiling) return 'ceiling'
  if (keyUse && exceedsKeyCeiling(keyUse, wanted.cost)) return 'key_ceiling'
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
  keyUse: KeyUse | undefined,
): Refusal {
  const { ceiling, funds, minTier } = standing
  const retryAfterS = Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000))
  switch (limit) {
    case 'requests':
      return { limit, retryAfterS }
    case 'ceiling':
      return { limit, retryAfterS: untilMidnightS(nowMs), ceiling: ceiling ?? ZERO }
    case 'key_ceiling':
      if (!keyUse) throw new Error('a key without a ceiling has met it')
      return { limit, retryAfterS: untilMidnightS(nowMs), ...keyUse, cost }
    case 'balance':
      return { limit, balance: funds.balance, held, cost }
    case 'tokens': {
      const neverFits = tokens > tierOf(funds, minTier).tokensPerMinute
      return { limit, retryAfterS, wanted: tokens, neverFits }
    }
  }
}

function untilMidnightS(nowMs: number): number {
  return Math.ceil(untilMidnightMs(nowMs) / 1000)
}

export function placeHold(
  state: AccountState,
  { keyId, accountId, ceiling }: Key,
  requestId: string,
  wanted: Wanted,
): Hold {
  state.held = addNano(state.held, wanted.cost)
  state.holds += 1
  state.tokens += wanted.tokens
  // Of every key: a ceiling that is set meanwhile is one for what is held already, too.
  const key = keyStateOf(state, keyId)
  key.held = addNano(key.held, wanted.cost)
  const { windowNumber } = state
  return {
    requestId,
    keyId,
    accountId,
    ...wanted,
    windowNumber,
    needsKeySpent: ceiling !== null,
  }
}

/** Gives back what was held, and counts the tokens that were used in place of those reserved. */
export function endHold(state: AccountState, hold: Hold, usedTokens: number): void {
  state.held = subtractNano(state.held, hold.cost)
  state.holds -= 1
  const key = keyStateOf(state, hold.keyId)
  key.held = subtractNano(key.held, hold.cost)
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

/** Undefined where the key has no ceiling, or it must be read first what it has spent. */
export function findKeyUse(
  { standing, keys }: AccountState,
  { keyId, ceiling }: Key,
  nowMs: number,
): KeyUse | undefined {
  const key = keys.get(keyId)
  if (ceiling === null || !key?.spend) return undefined
  const { day, spent } = key.spend
  // The day that a charge of now counts for: one that was closed is not opened again.
  const { spentDay } = standing.funds
  const today = utcDay(nowMs)
  const isOfToday = day >= today && day >= spentDay
  return { ceiling, spent: isOfToday ? spent : ZERO, held: key.held }
}

export function adoptKeySpend(state: AccountState, keyId: string, spend: KeySpend): void {
  const key = keyStateOf(state, keyId)
  if (!key.spend || key.spend.version < spend.version) key.spend = spend
}

/** Something was charged to the key, and not told what it has spent since. */
export function forgetKeySpend({ keys }: AccountState, keyId: string): void {
  const key = keys.get(keyId)
  if (key) key.spend = undefined
}

function keyStateOf({ keys }: AccountState, keyId: string): KeyState {
  const known = keys.get(keyId)
  if (known) return known
  const key = { held: ZERO, spend: undefined }
  keys.set(keyId, key)
  return key
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
