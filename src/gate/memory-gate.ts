import type { Clock } from '#platform/clock.ts'
import type { Funds, KeySpend } from '#platform/funds.ts'
import { ZERO, type NanoEuro } from '#platform/money.ts'
import {
  adoptFunds,
  adoptKeySpend,
  adoptStanding,
  countRequest,
  createAccountState,
  describeAllowance,
  describeRefusal,
  endHold,
  exceedsRequests,
  findBrokenLimit,
  findKeyUse,
  forgetKeySpend,
  isIdle,
  placeHold,
  type AccountState,
} from './account-state.ts'
import { createCoalescedLoad, type CoalescedLoad } from './coalesced-load.ts'
import { describeLook } from './describe-look.ts'
import type {
  Admission,
  AdmissionRequest,
  Allowance,
  Gate,
  GateSource,
  Hold,
  Key,
  KeyOwner,
  Look,
  Recognition,
  Settlement,
  Standing,
} from './gate.ts'
import { hasExpired, type KeyUse } from './key-use.ts'

const SWEEP_EVERY_MS = 60_000
/** What a request wants that is not valid. */
const NOTHING = { cost: ZERO, tokens: 0 }

/**
 * The gate of a single process, which owns the store: windows and holds live in memory and die with
 * the requests that made them; standings are copies of what the store says. Each admission is one
 * synchronous step, so no two requests can see the same euro.
 */
export function createMemoryGate(options: MemoryGateOptions): Gate {
  return new MemoryGate(options)
}

export interface MemoryGateOptions {
  readonly source: GateSource
  readonly clock: Clock
}

class MemoryGate implements Gate {
  readonly #clock: Clock
  readonly #keys = new Map<string, Key>()
  readonly #states = new Map<string, AccountState>()
  readonly #keyLoads: CoalescedLoad<Key | undefined>
  readonly #standingLoads: CoalescedLoad<Standing>
  readonly #spendLoads: CoalescedLoad<KeySpend, KeyOwner>
  readonly #sweep: NodeJS.Timeout

  constructor({ source, clock }: MemoryGateOptions) {
    this.#clock = clock
    this.#keyLoads = createCoalescedLoad(source.findKey, (keyHash, key) => {
      if (key) this.#keys.set(keyHash, key)
    })
    this.#standingLoads = createCoalescedLoad(source.readStanding, (accountId, standing) => {
      this.#keepStanding(accountId, standing)
    })
    this.#spendLoads = createCoalescedLoad(
      source.readKeySpend,
      ({ accountId, keyId }, spend) => {
        const state = this.#states.get(accountId)
        if (state) adoptKeySpend(state, keyId, spend)
      },
      ({ keyId }) => keyId,
    )
    this.#sweep = setInterval(() => this.#sweepIdle(clock.nowMs()), SWEEP_EVERY_MS)
    this.#sweep.unref()
  }

  async recognise(keyHash: string): Promise<Recognition> {
    const key = this.#keys.get(keyHash) ?? (await this.#keyLoads.load(keyHash))
    if (!key || hasExpired(key, this.#clock.nowMs())) return { kind: 'unknown' }
    const { keyId, accountId } = key
    const { standing } = await this.#findState(accountId)
    return standing.suspended ? { kind: 'suspended' } : { kind: 'recognised', keyId, accountId }
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { keyHash } = request
    // Decides in a step that waits for nothing: after each wait it looks again at all that it knows.
    for (;;) {
      const key = this.#keys.get(keyHash)
      const nowMs = this.#clock.nowMs()
      if (!key) {
        if (!(await this.#keyLoads.load(keyHash))) return { kind: 'unknown' }
        continue
      }
      if (hasExpired(key, nowMs)) return { kind: 'unknown' }
      const state = this.#states.get(key.accountId)
      if (!state || state.stale) {
        await this.#standingLoads.load(key.accountId)
        continue
      }
      const keyUse = findKeyUse(state, key, nowMs)
      if (keyUse || key.ceiling === null) return decide(state, key, request, { nowMs, keyUse })
      await this.#spendLoads.load(key)
    }
  }

  settle(hold: Hold, { tokens, funds, keySpent }: Settlement): Allowance {
    const state = this.#stateOf(hold)
    adoptFunds(state, funds)
    this.#noteKeySpent(state, hold, funds, keySpent)
    endHold(state, hold, tokens)
    return describeAllowance(state, this.#clock.nowMs())
  }

  async release(hold: Hold): Promise<Allowance> {
    const state = this.#stateOf(hold)
    endHold(state, hold, 0)
    return describeAllowance(state, this.#clock.nowMs())
  }

  async look(accountId: string): Promise<Look> {
    return describeLook(await this.#findState(accountId), this.#clock.nowMs())
  }

  async held(accountIds: readonly string[]): Promise<ReadonlyMap<string, NanoEuro>> {
    const held = new Map<string, NanoEuro>()
    for (const accountId of accountIds) {
      const state = this.#states.get(accountId)
      if (state) held.set(accountId, state.held)
    }
    return held
  }

  forgetKey(keyHash: string): void {
    this.#keys.delete(keyHash)
    this.#keyLoads.discard(keyHash)
  }

  forgetAccount(accountId: string): void {
    const state = this.#states.get(accountId)
    if (state) state.stale = true
    this.#standingLoads.discard(accountId)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep)
  }

  /** An account with a live hold is never forgotten. */
  #stateOf({ accountId, requestId }: Hold): AccountState {
    const state = this.#states.get(accountId)
    if (!state) throw new Error(`the hold of ${requestId} was ended twice`)
    return state
  }

  #noteKeySpent(
    state: AccountState,
    { keyId }: Hold,
    { spentDay: day, version }: Funds,
    spent: NanoEuro | undefined,
  ): void {
    if (spent !== undefined) return adoptKeySpend(state, keyId, { day, spent, version })
    // Its key had no ceiling when it was admitted; by now it may have one.
    forgetKeySpend(state, keyId)
    this.#spendLoads.discard(keyId)
  }

  async #findState(accountId: string): Promise<AccountState> {
    const known = this.#states.get(accountId)
    if (known && !known.stale) return known
    const standing = await this.#standingLoads.load(accountId)
    return this.#states.get(accountId) ?? this.#keepStanding(accountId, standing)
  }

  #keepStanding(accountId: string, standing: Standing): AccountState {
    // Another request may have made it meanwhile, or it was here and only its standing was old.
    const state = this.#states.get(accountId) ?? createAccountState(standing)
    adoptStanding(state, standing)
    this.#states.set(accountId, state)
    return state
  }

  /** Keeps memory to those who called within the last minute. */
  #sweepIdle(nowMs: number): void {
    for (const [accountId, state] of this.#states) {
      if (!isIdle(state, nowMs)) continue
      this.#states.delete(accountId)
      // A standing that is being read now may be older than what this state knew.
      this.#standingLoads.discard(accountId)
      for (const keyId of state.keys.keys()) this.#spendLoads.discard(keyId)
    }
    for (const [keyHash, { accountId }] of this.#keys) {
      if (!this.#states.has(accountId)) this.#keys.delete(keyHash)
    }
  }
}

/** The atomic step: nothing in it waits. */
function decide(
  state: AccountState,
  key: Key,
  { requestId, wanted }: AdmissionRequest,
  { nowMs, keyUse }: { readonly nowMs: number; readonly keyUse: KeyUse | undefined },
): Admission {
  if (state.standing.suspended) return { kind: 'suspended' }
  countRequest(state, nowMs)
  const limit = exceedsRequests(state)
    ? 'requests'
    : wanted && findBrokenLimit(state, wanted, nowMs, keyUse)
  const hold = wanted && !limit ? placeHold(state, key, requestId, wanted) : undefined
  const allowance = describeAllowance(state, nowMs)
  if (limit) {
    const refusal = describeRefusal(limit, state, wanted ?? NOTHING, nowMs, keyUse)
    return { kind: 'refused', refusal, allowance }
  }
  return hold ? { kind: 'admitted', hold, allowance } : { kind: 'counted', allowance }
}
