import assert from 'node:assert/strict'
import { createId } from '#platform/ids.ts'
import { nano } from '#platform/money.ts'
import { createMemoryGate, type AdmissionRequest, type Gate, type Hold } from '#gate/index.ts'
import {
  allowanceOf,
  createAccountModel,
  createKeyModel,
  decide,
  describeAdmission,
  fundsOf,
  hasCurrentWindow,
  heldBy,
  LIMITS,
  settle,
  spentOn,
  standingOf,
  tierOf,
  type AccountModel,
  type HoldModel,
  type KeyModel,
} from './gate-model.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

/**
 * A gate, the store that it asks, and the model that says what it has to answer. While the store is
 * slow its reads are of the moment they were asked for, and end when it is no longer slow.
 */
export interface GateWorld {
  readonly clock: ManualClock
  readonly gate: Gate
  /** The place of the account that each key belongs to. */
  readonly owners: Map<string, number>
  /** The limits of each key, those included that are yet to be made. */
  readonly keys: ReadonlyMap<string, KeyModel>
  readonly accounts: readonly AccountModel[]
  readonly live: LiveHold[]
  /** Accounts of which the store has news that the gate, which is asked next, need not know yet. */
  readonly changed: Set<AccountModel>
  readonly store: SlowStore
  /** Admissions that wait for the store. */
  pending: Promise<void>[]
}

interface LiveHold {
  readonly account: AccountModel
  readonly hold: Hold
  readonly model: HoldModel
}

interface SlowStore {
  isSlow: boolean
  readonly waiting: (() => void)[]
}

/** Shortly before a midnight, so that a run crosses it now and then. */
const START_MS = Date.UTC(2026, 10, 21, 23, 58)

/** More turns of the microtask queue than an answer takes that waits for no read. */
const TURNS_OF_AN_ANSWER = 12

export const KEY_HASHES = ['key-0', 'key-1', 'key-2', 'key-3']

export function createGateWorld(): GateWorld {
  const clock = createManualClock(START_MS)
  const accounts = [createAccountModel(), createAccountModel({ balance: 12_000_000_000 })]
  const owners = new Map([
    ['key-0', 0],
    ['key-1', 0],
    ['key-2', 1],
  ])
  const keys = new Map(KEY_HASHES.map((keyHash) => [keyHash, createKeyModel()] as const))
  const store: SlowStore = { isSlow: false, waiting: [] }
  const gate = createMemoryGate({
    clock,
    source: {
      findKey: (keyHash) => {
        const owner = owners.get(keyHash)
        if (owner === undefined) return read(store, undefined)
        const { expiresAtMs, ceiling } = keys.get(keyHash)!
        return read(store, { keyId: keyHash, accountId: `${owner}`, expiresAtMs, ceiling })
      },
      readStanding: (accountId) => read(store, standingOf(accounts[Number(accountId)]!)),
      readKeySpend({ accountId, keyId }) {
        const { spentDay: day, version } = accounts[Number(accountId)]!
        return read(store, { day, version, spent: nano(spentOn(keys.get(keyId)!, day)) })
      },
    },
  })
  return { clock, gate, owners, keys, accounts, live: [], changed: new Set(), store, pending: [] }
}

function read<Value>(store: SlowStore, value: Value): Promise<Value> {
  if (!store.isSlow) return Promise.resolve(value)
  return new Promise((resolve) => store.waiting.push(() => resolve(value)))
}

/** While the store is slow the answer comes later, and is compared when it comes. */
export async function admit(
  world: GateWorld,
  keyHash: string,
  wanted: AdmissionRequest['wanted'],
): Promise<void> {
  const compared = admitAndCompare(world, keyHash, wanted)
  if (!world.store.isSlow) return compared
  world.pending.push(compared)
  // Where nothing has to be read the answer comes all the same.
  for (let turn = 0; turn < TURNS_OF_AN_ANSWER; turn += 1) await Promise.resolve()
}

/** Asks the gate and, at the moment it answers, the model. */
async function admitAndCompare(
  { gate, owners, keys, accounts, clock, changed, live }: GateWorld,
  keyHash: string,
  wanted: AdmissionRequest['wanted'],
): Promise<void> {
  const owner = owners.get(keyHash)
  const admission = await gate.admit({ keyHash, requestId: createId('req'), wanted })
  const told = describeAdmission(admission)
  // A key that was revoked while its request waited may be refused or not.
  if (owner === undefined || (told.outcome === 'unknown' && !owners.has(keyHash))) {
    return assert.equal(told.outcome, 'unknown')
  }
  const account = accounts[owner]!
  const { hold: model, ...wantedAnswer } = decide(
    account,
    keys.get(keyHash)!,
    wanted,
    clock.nowMs(),
  )
  assert.deepEqual(told, wantedAnswer)
  if (told.outcome === 'unknown') return
  changed.delete(account)
  if (admission.kind !== 'admitted' || !model) return
  assert.ok(account.balance - heldBy(account) >= 0, 'more is held than the account has')
  const { window } = model
  assert.ok(window.requests <= LIMITS[tierOf(account)].requests, 'too many requests')
  assert.ok(window.tokens <= LIMITS[tierOf(account)].tokens, 'too many tokens')
  live.push({ account, hold: admission.hold, model })
}

/** Ends one of the live holds, if there are any; `use` is null where nothing was used. */
export async function endHold(
  { live, clock, gate, changed }: GateWorld,
  place: number,
  use: { readonly tokens: number; readonly charge: number } | null,
): Promise<void> {
  const [ending] = live.splice(place % Math.max(1, live.length), 1)
  if (!ending) return
  const { account, hold, model } = ending
  const nowMs = clock.nowMs()
  const tokens = use === null ? 0 : use.tokens
  const charge = use === null ? null : Math.min(use.charge, account.balance)
  settle(account, model, { tokens, charge, nowMs })
  const funds = fundsOf(account)
  const keySpent = hold.needsKeySpent ? nano(spentOn(model.key, funds.spentDay)) : undefined
  const allowance =
    use === null ? await gate.release(hold) : gate.settle(hold, { tokens, funds, keySpent })
  const { tier, requestsLeft, tokensLeft, resetMs, resetS } = allowance
  if (changed.has(account)) return
  assert.deepEqual(
    [tier.number, requestsLeft, tokensLeft, resetMs, resetS],
    allowanceOf(account, nowMs),
  )
}

/** Changes an account in the store, and tells the gate that it is not what it was. */
export function changeAccount(
  { accounts, changed, gate }: GateWorld,
  place: number,
  change: (account: AccountModel) => void,
): void {
  const account = accounts[place]!
  change(account)
  changed.add(account)
  gate.forgetAccount(`${place}`)
}

/** Changes the limits of a key in the store, and tells the gate that it is not what it was. */
export function changeKey(
  { keys, gate }: GateWorld,
  keyHash: string,
  limits: Partial<Pick<KeyModel, 'ceiling' | 'expiresAtMs'>>,
): void {
  Object.assign(keys.get(keyHash)!, limits)
  gate.forgetKey(keyHash)
}

/** After the gate's sweep: a window that is over may be forgotten, should the clock be set back. */
export function forgetIdle({ accounts, clock }: GateWorld): void {
  for (const account of accounts) {
    if (account.holds.size > 0 || hasCurrentWindow(account, clock.nowMs())) continue
    account.window = undefined
  }
}

/** Ends the reads that wait, and with them the admissions. */
export async function speedUp(world: GateWorld, newestFirst: boolean): Promise<void> {
  const { store, pending } = world
  store.isSlow = false
  while (store.waiting.length > 0) {
    const end = newestFirst ? store.waiting.pop() : store.waiting.shift()
    end?.()
  }
  world.pending = []
  await Promise.all(pending)
}

/** What the gate says is held is the sum of the live holds. */
export async function checkHeld({ accounts, gate }: GateWorld): Promise<void> {
  const held = await gate.held([...accounts.keys()].map(String))
  for (const [place, account] of accounts.entries()) {
    assert.equal(held.get(`${place}`) ?? 0, heldBy(account))
  }
}

/** Ends everything that is under way; then nothing may be held. */
export async function closeGateWorld(world: GateWorld): Promise<void> {
  await speedUp(world, false)
  while (world.live.length > 0) await endHold(world, 0, null)
  await checkHeld(world)
  await world.gate.close()
}
