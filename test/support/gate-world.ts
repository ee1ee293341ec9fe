import assert from 'node:assert/strict'
import { createMemoryGate, type AdmissionRequest, type Hold } from '#gate/index.ts'
import {
  allowanceOf,
  createAccountModel,
  decide,
  describeAdmission,
  fundsOf,
  hasCurrentWindow,
  heldBy,
  LIMITS,
  settle,
  standingOf,
  tierOf,
  type AccountModel,
  type HoldModel,
} from './gate-model.ts'
import { createManualClock } from './manual-clock.ts'

/** Shortly before a midnight, so that a run crosses it now and then. */
const START_MS = Date.UTC(2026, 10, 21, 23, 58)

/** More turns of the microtask queue than an answer takes that waits for no read. */
const TURNS_OF_AN_ANSWER = 10

interface LiveHold {
  readonly account: AccountModel
  readonly hold: Hold
  readonly model: HoldModel
}

/**
 * A gate, the store that it asks, and the model that says what it has to answer. While the store is
 * slow its reads are of the moment they were asked for, and end when it is no longer slow.
 */
export function createGateWorld() {
  const clock = createManualClock(START_MS)
  const accounts = [createAccountModel(), createAccountModel({ balance: 12_000_000_000 })]
  const owners = new Map([
    ['key-0', 0],
    ['key-1', 0],
    ['key-2', 1],
  ])
  const live: LiveHold[] = []
  /** Accounts of which the store has news that the gate, which is asked next, need not know yet. */
  const changed = new Set<AccountModel>()
  const waiting: (() => void)[] = []
  let pending: Promise<void>[] = []
  let slow = false

  function read<Value>(value: Value): Promise<Value> {
    if (!slow) return Promise.resolve(value)
    return new Promise((resolve) => waiting.push(() => resolve(value)))
  }

  const gate = createMemoryGate({
    clock,
    source: {
      findKey: (keyHash) => {
        const owner = owners.get(keyHash)
        return read(owner === undefined ? undefined : { keyId: keyHash, accountId: `${owner}` })
      },
      readStanding: (accountId) => read(standingOf(modelOf(accountId))),
    },
  })

  function modelOf(accountId: string): AccountModel {
    return accounts[Number(accountId)] as AccountModel
  }

  /** Asks the gate and, at the moment it answers, the model. */
  async function admitAndCompare(
    keyHash: string,
    wanted: AdmissionRequest['wanted'],
  ): Promise<void> {
    const owner = owners.get(keyHash)
    const admission = await gate.admit({ keyHash, wanted })
    const told = describeAdmission(admission)
    if (owner === undefined || (told.outcome === 'unknown' && !owners.has(keyHash))) {
      return assert.equal(told.outcome, 'unknown')
    }
    const account = modelOf(`${owner}`)
    const { hold: model, ...wantedAnswer } = decide(account, wanted, clock.nowMs())
    assert.deepEqual(told, wantedAnswer)
    changed.delete(account)
    if (admission.kind !== 'admitted' || !model) return
    assert.ok(account.balance - heldBy(account) >= 0, 'more is held than the account has')
    const { window } = model
    assert.ok(window.requests <= LIMITS[tierOf(account)].requests, 'too many requests')
    assert.ok(window.tokens <= LIMITS[tierOf(account)].tokens, 'too many tokens')
    live.push({ account, hold: admission.hold, model })
  }

  function end(place: number, use: { tokens: number; charge: number } | null): void {
    const [ending] = live.splice(place % Math.max(1, live.length), 1)
    if (!ending) return
    const { account, hold, model } = ending
    const nowMs = clock.nowMs()
    const tokens = use === null ? 0 : use.tokens
    const charge = use === null ? null : Math.min(use.charge, account.balance)
    settle(account, model, { tokens, charge, nowMs })
    const funds = use === null ? null : fundsOf(account)
    const { tier, requestsLeft, tokensLeft, resetMs, resetS } = gate.settle(hold, { tokens, funds })
    if (changed.has(account)) return
    assert.deepEqual(
      [tier.number, requestsLeft, tokensLeft, resetMs, resetS],
      allowanceOf(account, nowMs),
    )
  }

  return {
    clock,
    gate,
    owners,
    live,
    end,
    /** While the store is slow the answer comes later, and is compared when it comes. */
    async admit(keyHash: string, wanted: AdmissionRequest['wanted']): Promise<void> {
      const compared = admitAndCompare(keyHash, wanted)
      if (!slow) return compared
      pending.push(compared)
      // Where nothing has to be read the answer comes all the same.
      for (let turn = 0; turn < TURNS_OF_AN_ANSWER; turn += 1) await Promise.resolve()
    },
    change(place: number, make: (account: AccountModel) => void): void {
      make(modelOf(`${place}`))
      changed.add(modelOf(`${place}`))
      gate.forgetAccount(`${place}`)
    },
    /** After the gate's sweep: a window that is over may be forgotten, should the clock be set back. */
    forgetIdle(): void {
      for (const account of accounts) {
        if (account.holds.size === 0 && !hasCurrentWindow(account, clock.nowMs())) {
          account.window = undefined
        }
      }
    },
    forgetKey: (keyHash: string) => gate.forgetKey(keyHash),
    slowDown: () => {
      slow = true
    },
    async speedUp(newestFirst: boolean): Promise<void> {
      slow = false
      while (waiting.length > 0) (newestFirst ? waiting.pop() : waiting.shift())?.()
      const compared = pending
      pending = []
      await Promise.all(compared)
    },
    checkHeld(): void {
      for (const [place, account] of accounts.entries()) {
        assert.equal(gate.held(`${place}`), heldBy(account))
      }
    },
    async close(): Promise<void> {
      await this.speedUp(false)
      while (live.length > 0) end(0, null)
      this.checkHeld()
      gate.close()
    },
  }
}

export type GateWorld = ReturnType<typeof createGateWorld>
