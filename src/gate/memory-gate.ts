import type { Clock } from '#platform/clock.ts'
import { ZERO } from '#platform/money.ts'
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
import { createCoalescedLoad } from './coalesced-load.ts'
import type { Admission, AdmissionRequest, Gate, GateSource, KeyOwner } from './gate.ts'

const SWEEP_EVERY_MS = 60_000

/**
 * The gate of a single process, which owns the store: windows and holds live in memory and die with
 * the requests that made them; standings are copies of what the store says. Each admission is one
 * synchronous step, so no two requests can see the same euro.
 */
export function createMemoryGate({ source, clock }: { source: GateSource; clock: Clock }): Gate {
  const keys = new Map<string, KeyOwner>()
  const states = new Map<string, AccountState>()
  const keyLoads = createCoalescedLoad(source.findKey)
  const standingLoads = createCoalescedLoad(source.readStanding)
  const sweep = setInterval(() => sweepIdle(keys, states, clock.nowMs()), SWEEP_EVERY_MS)
  sweep.unref()

  async function findOwner(keyHash: string): Promise<KeyOwner | undefined> {
    const known = keys.get(keyHash)
    if (known) return known
    const owner = await keyLoads.load(keyHash)
    if (owner) keys.set(keyHash, owner)
    return owner
  }

  async function findState(accountId: string): Promise<AccountState> {
    const known = states.get(accountId)
    if (known && !known.stale) return known
    const standing = await standingLoads.load(accountId)
    // Another request may have made it meanwhile, or it was here and only its standing was old.
    const state = states.get(accountId) ?? createAccountState(standing)
    adoptStanding(state, standing)
    states.set(accountId, state)
    return state
  }

  return {
    async recognise(keyHash) {
      const owner = await findOwner(keyHash)
      if (!owner) return { kind: 'unknown' }
      const { standing } = await findState(owner.accountId)
      return standing.suspended ? { kind: 'suspended' } : { kind: 'recognised', ...owner }
    },
    async admit(request) {
      const owner = await findOwner(request.keyHash)
      if (!owner) return { kind: 'unknown' }
      const state = await findState(owner.accountId)
      return decide(state, owner, request, clock.nowMs())
    },
    settle(hold, settlement) {
      const state = states.get(hold.accountId)
      if (!state) throw new Error('a hold was settled twice')
      settleHold(state, hold, settlement)
      return describeAllowance(state, clock.nowMs())
    },
    held: (accountId) => states.get(accountId)?.held ?? ZERO,
    forgetKey(keyHash) {
      keys.delete(keyHash)
      keyLoads.discard(keyHash)
    },
    forgetAccount(accountId) {
      const state = states.get(accountId)
      if (state) state.stale = true
      standingLoads.discard(accountId)
    },
    close: () => clearInterval(sweep),
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

/** Keeps memory to those who called within the last minute. */
function sweepIdle(
  keys: Map<string, KeyOwner>,
  states: Map<string, AccountState>,
  nowMs: number,
): void {
  for (const [accountId, state] of states) if (isIdle(state, nowMs)) states.delete(accountId)
  for (const [keyHash, { accountId }] of keys) if (!states.has(accountId)) keys.delete(keyHash)
}
