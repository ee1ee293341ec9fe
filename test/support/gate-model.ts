import type { Admission, AdmissionRequest, Standing } from '#gate/index.ts'
import { utcDay } from '#platform/clock.ts'
import type { Funds } from '#platform/funds.ts'
import { nano, NANO_PER_EURO, type NanoEuro } from '#platform/money.ts'

/**
 * What the gate has to decide, written as plainly as it can be from the decisions (14, 16, 19, 20,
 * 23): one account at a time, everything counted anew, no waiting.
 */
export interface AccountModel {
  suspended: boolean
  minTier: 1 | 2 | 3
  ceiling: NanoEuro | null
  balance: number
  deposits: number
  spentDay: string
  spent: number
  version: number
  /** The last window; undefined before the first request. */
  window: WindowModel | undefined
  readonly holds: Set<HoldModel>
}

/** One of its keys, with the limits of its own. */
export interface KeyModel {
  ceiling: NanoEuro | null
  expiresAtMs: number | null
  /** The last day on which it was charged, and how much. */
  spentDay: string
  spent: number
}

export interface WindowModel {
  readonly startMs: number
  requests: number
  tokens: number
}

export interface HoldModel {
  readonly key: KeyModel
  readonly cost: number
  readonly tokens: number
  readonly window: WindowModel
}

export const WINDOW_MS = 60_000

export const LIMITS = {
  1: { requests: 10, tokens: 10_000 },
  2: { requests: 100, tokens: 200_000 },
  3: { requests: 500, tokens: 1_000_000 },
} as const

export function createAccountModel(changes: Partial<AccountModel> = {}): AccountModel {
  return {
    suspended: false,
    minTier: 1,
    ceiling: null,
    balance: NANO_PER_EURO,
    deposits: 0,
    spentDay: '',
    spent: 0,
    version: 1,
    window: undefined,
    holds: new Set(),
    ...changes,
  }
}

export function createKeyModel(): KeyModel {
  return { ceiling: null, expiresAtMs: null, spentDay: '', spent: 0 }
}

export function tierOf(account: AccountModel): 1 | 2 | 3 {
  const earned = earnedTierOf(account)
  return earned > account.minTier ? earned : account.minTier
}

/** What the account has by its money alone. */
export function earnedTierOf({ balance, deposits }: AccountModel): 1 | 2 | 3 {
  const worth = Math.max(balance, deposits)
  if (worth > 100 * NANO_PER_EURO) return 3
  return worth >= 10 * NANO_PER_EURO ? 2 : 1
}

export function heldBy(account: AccountModel): number {
  return [...account.holds].reduce((sum, { cost }) => sum + cost, 0)
}

export function heldByKey(account: AccountModel, key: KeyModel): number {
  return [...account.holds].reduce((sum, hold) => sum + (hold.key === key ? hold.cost : 0), 0)
}

export function spentOn(key: KeyModel, day: string): number {
  return key.spentDay === day ? key.spent : 0
}

/** On the day that a charge of now would count for: one that was closed is not opened again. */
export function spentTodayByKey(account: AccountModel, key: KeyModel, nowMs: number): number {
  const today = utcDay(nowMs)
  return spentOn(key, today > account.spentDay ? today : account.spentDay)
}

export function spentToday({ spent, spentDay }: AccountModel, nowMs: number): number {
  return spentDay >= utcDay(nowMs) ? spent : 0
}

/** What a decision comes to; a hold is placed in the model where it is admitted. */
export interface Decision {
  readonly outcome: string
  readonly retryAfterS: number | undefined
  readonly allowance: readonly unknown[] | undefined
  readonly hold?: HoldModel
}

export function decide(
  account: AccountModel,
  key: KeyModel,
  wanted: AdmissionRequest['wanted'],
  nowMs: number,
): Decision {
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) {
    return { outcome: 'unknown', retryAfterS: undefined, allowance: undefined }
  }
  if (account.suspended) {
    return { outcome: 'suspended', retryAfterS: undefined, allowance: undefined }
  }
  const window = currentWindow(account, nowMs)
  account.window = window
  window.requests += 1
  const limits = LIMITS[tierOf(account)]
  const windowS = Math.max(1, Math.ceil((window.startMs + WINDOW_MS - nowMs) / 1000))
  const midnightS = Math.ceil((86_400_000 - (nowMs % 86_400_000)) / 1000)
  const refused = (limit: string, retryAfterS?: number): Decision => ({
    outcome: `refused for ${limit}`,
    retryAfterS,
    allowance: allowanceOf(account, nowMs),
  })

  if (window.requests > limits.requests) return refused('requests', windowS)
  if (wanted === null) {
    const allowance = allowanceOf(account, nowMs)
    return { outcome: 'counted', retryAfterS: undefined, allowance }
  }
  const { ceiling } = account
  if (ceiling !== null && spentToday(account, nowMs) + heldBy(account) >= ceiling) {
    return refused('ceiling', midnightS)
  }
  const keyUse = spentTodayByKey(account, key, nowMs) + heldByKey(account, key)
  if (key.ceiling !== null && keyUse + wanted.cost > key.ceiling) {
    return refused('key_ceiling', midnightS)
  }
  if (account.balance - heldBy(account) < wanted.cost) return refused('balance')
  if (wanted.tokens > limits.tokens) return refused('tokens for ever', windowS)
  if (window.tokens + wanted.tokens > limits.tokens) return refused('tokens', windowS)

  window.tokens += wanted.tokens
  const hold = { key, cost: wanted.cost, tokens: wanted.tokens, window }
  account.holds.add(hold)
  const allowance = allowanceOf(account, nowMs)
  return { outcome: 'admitted', retryAfterS: undefined, allowance, hold }
}

/** The same form, of what the gate said. */
export function describeAdmission(admission: Admission): Decision {
  if (admission.kind === 'suspended' || admission.kind === 'unknown') {
    return { outcome: admission.kind, retryAfterS: undefined, allowance: undefined }
  }
  const { tier, requestsLeft, tokensLeft, resetMs, resetS } = admission.allowance
  const allowance = [tier.number, requestsLeft, tokensLeft, resetMs, resetS]
  if (admission.kind !== 'refused') {
    return { outcome: admission.kind, retryAfterS: undefined, allowance }
  }
  const { refusal } = admission
  const forEver = refusal.limit === 'tokens' && refusal.neverFits ? ' for ever' : ''
  const retryAfterS = 'retryAfterS' in refusal ? refusal.retryAfterS : undefined
  return { outcome: `refused for ${refusal.limit}${forEver}`, retryAfterS, allowance }
}

/** Ends a hold. `charge` is what was charged and so left the balance; null where nothing was. */
export function settle(
  account: AccountModel,
  hold: HoldModel,
  { tokens, charge, nowMs }: { tokens: number; charge: number | null; nowMs: number },
): void {
  account.holds.delete(hold)
  hold.window.tokens += tokens - hold.tokens
  if (charge === null) return
  const today = utcDay(nowMs)
  // As in the ledger: a day that was closed is not opened again.
  if (today > account.spentDay) {
    account.spentDay = today
    account.spent = 0
  }
  const { key } = hold
  key.spent = spentOn(key, account.spentDay) + charge
  key.spentDay = account.spentDay
  account.balance -= charge
  account.spent += charge
  account.version += 1
}

export function standingOf(account: AccountModel): Standing {
  const { suspended, minTier, ceiling } = account
  return { suspended, minTier, ceiling, funds: fundsOf(account) }
}

export function fundsOf({ balance, deposits, spentDay, spent, version }: AccountModel): Funds {
  return { balance: nano(balance), deposits: nano(deposits), spentDay, spent: nano(spent), version }
}

export function allowanceOf(
  account: AccountModel,
  nowMs: number,
  tier: 1 | 2 | 3 = tierOf(account),
): readonly unknown[] {
  const { window } = account
  const live = hasCurrentWindow(account, nowMs) ? window : undefined
  const resetMs = (live?.startMs ?? nowMs) + WINDOW_MS
  return [
    tier,
    Math.max(0, LIMITS[tier].requests - (live?.requests ?? 0)),
    Math.max(0, LIMITS[tier].tokens - (live?.tokens ?? 0)),
    resetMs,
    Math.max(1, Math.ceil((resetMs - nowMs) / 1000)),
  ]
}

/** A window that the clock says is yet to come is over: the clock was set back. */
export function hasCurrentWindow({ window }: AccountModel, nowMs: number): boolean {
  return window !== undefined && window.startMs <= nowMs && nowMs < window.startMs + WINDOW_MS
}

function currentWindow(account: AccountModel, nowMs: number): WindowModel {
  const { window } = account
  return window && hasCurrentWindow(account, nowMs)
    ? window
    : { startMs: nowMs, requests: 0, tokens: 0 }
}
