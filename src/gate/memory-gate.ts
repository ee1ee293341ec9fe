import type { Clock } from '#platform/clock.ts'
import { ZERO, type NanoEuro } from '#platform/money.ts'
import {
  adoptFunds,
  adoptStanding,
  countRequest,
  createAccountState,
  describeAllowance,
  describeRefusal,
  endHold,
  exceedsRequests,
  findBrokenLimit,
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
  KeyOwner,
  Look,
  Recognition,
  Settlement,
  Standing,
} from './gate.ts'

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
  readonly #keys = new Map<string, KeyOwner>()
  readonly #states = new Map<string, AccountState>()
  readonly #keyLoads: CoalescedLoad<KeyOwner | undefined>
  readonly #standingLoads: CoalescedLoad<Standing>
  readonly #sweep: NodeJS.Timeout

  constructor({ source, clock }: MemoryGateOptions) {
    this.#clock = clock
    this.#keyLoads = createCoalescedLoad(source.findKey, (keyHash, owner) => {
      if (owner) this.#keys.set(keyHash, owner)
    })
    this.#standingLoads = createCoalescedLoad(source.readStanding, (accountId, standing) => {
      this.#keepStanding(accountId, standing)
    })
    this.#sweep = setInterval(() => this.#sweepIdle(clock.nowMs()), SWEEP_EVERY_MS)
    this.#sweep.unref()
  }

  async recognise(keyHash: string): Promise<Recognition> {
    const owner = this.#keys.get(keyHash) ?? (await this.#keyLoads.load(keyHash))
    if (!owner) return { kind: 'unknown' }
    const { standing } = await this.#findState(owner.accountId)
    return standing.suspended ? { kind: 'suspended' } : { kind: 'recognised', ...owner }
  }

  async admit(request: AdmissionRequest): Promise<Admission> {
    const { keyHash } = request
    const owner = this.#keys.get(keyHash) ?? (await this.#keyLoads.load(keyHash))
    if (!owner) return { kind: 'unknown' }
    const state = await this.#findState(owner.accountId)
    return decide(state, owner, request, this.#clock.nowMs())
  }

  settle(hold: Hold, { tokens, funds }: Settlement): Allowance {
    const state = this.#stateOf(hold)
    adoptFunds(state, funds)
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
    }
    for (const [keyHash, { accountId }] of this.#keys) {
      if (!this.#states.has(accountId)) this.#keys.delete(keyHash)
    }
  }
}

/** The atomic step: nothing in it waits. */
function decide(
  state: AccountState,
  owner: KeyOwner,
  { requestId, wanted }: AdmissionRequest,
  nowMs: number,
): Admission {
  if (state.standing.suspended) return { kind: 'suspended' }
  countRequest(state, nowMs)
  const limit = exceedsRequests(state)
    ? 'requests'
    : wanted && findBrokenLimit(state, wanted, nowMs)
  const hold = wanted && !limit ? placeHold(state, owner, requestId, wanted) : undefined
  const allowance = describeAllowance(state, nowMs)
  if (limit) {
    const refusal = describeRefusal(limit, state, wanted ?? NOTHING, nowMs)
    return { kind: 'refused', refusal, allowance }
  }
  return hold ? { kind: 'admitted', hold, allowance } : { kind: 'counted', allowance }
}
