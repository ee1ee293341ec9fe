import type { Clock } from '#platform/clock.ts'
import { ZERO, type NanoEuro } from '#platform/money.ts'
import {
  adoptStanding,
  countRequest,
  createAccountState,
  describeAllowance,
  isIdle,
  placeHold,
  refuse,
  refuseForRequests,
  settleHold,
  type AccountState,
} from './account-state.ts'
import { createCoalescedLoad, type CoalescedLoad } from './coalesced-load.ts'
import type {
  Admission,
  AdmissionRequest,
  Allowance,
  Gate,
  GateSource,
  Hold,
  KeyOwner,
  Recognition,
  Settlement,
  Standing,
} from './gate.ts'

const SWEEP_EVERY_MS = 60_000

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

  settle(hold: Hold, settlement: Settlement): Allowance {
    const state = this.#states.get(hold.accountId)
    if (!state) throw new Error('a hold was settled twice')
    settleHold(state, hold, settlement)
    return describeAllowance(state, this.#clock.nowMs())
  }

  held(accountId: string): NanoEuro {
    return this.#states.get(accountId)?.held ?? ZERO
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

  close(): void {
    clearInterval(this.#sweep)
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
  { wanted }: AdmissionRequest,
  nowMs: number,
): Admission {
  if (state.standing.suspended) return { kind: 'suspended' }
  countRequest(state, nowMs)
  const refusal =
    refuseForRequests(state, nowMs) ?? (wanted ? refuse(state, wanted, nowMs) : undefined)
  const hold = wanted && !refusal ? placeHold(state, owner, wanted) : undefined
  const allowance = describeAllowance(state, nowMs)
  if (refusal) return { kind: 'refused', refusal, allowance }
  return hold ? { kind: 'admitted', hold, allowance } : { kind: 'counted', allowance }
}
