import type { Hold } from '#gate/index.ts'
import {
  createAccountModel,
  createKeyModel,
  settle,
  type AccountModel,
  type HoldModel,
  type KeyModel,
} from './gate-model.ts'

/** What accounts, gate and ledger have to do together, in plain integers. */
export interface ServiceModel {
  /** What a process keeps in memory is lost with it; on PostgreSQL windows are shared and stay. */
  readonly keepsWindows: boolean
  readonly accounts: readonly AccountModel[]
  /** The place of the account that each key belongs to; undefined once it is revoked. */
  readonly keys: (number | undefined)[]
  /** The limits of each key, in the same order. */
  readonly keyLimits: readonly KeyModel[]
  readonly live: LiveModel[]
  /** Holds whose replica died before anything was charged for them. */
  readonly died: LiveModel[]
  readonly charged: ChargedModel[]
  /** What was booked under each reference. */
  readonly credits: Map<number, string>
}

/** A request under way. */
export interface LiveModel {
  readonly account: AccountModel
  readonly replica: number
  readonly model: HoldModel
  readonly hold: Hold
  /** Of the account since the request was admitted: what is told at its end may be as old. */
  readonly minTiers: Set<number>
  readonly earnedTiers: Set<number>
}

export interface ChargedModel {
  readonly live: LiveModel
  readonly charged: number
  readonly writtenOff: number
}

export interface Use {
  readonly tokens: number
  readonly cost: number
}

/** The place of the account that each key belongs to at the start. */
export const KEYS: readonly number[] = [0, 0, 1]

export function createServiceModel(keepsWindows: boolean): ServiceModel {
  return {
    keepsWindows,
    // The free credit is the first change of their funds.
    accounts: [createAccountModel({ version: 2 }), createAccountModel({ version: 2 })],
    keys: [...KEYS],
    keyLimits: KEYS.map(createKeyModel),
    live: [],
    died: [],
    charged: [],
    credits: new Map(),
  }
}

/** Books what a request used, and ends its hold if it still has one. */
export function chargeFor(
  model: ServiceModel,
  live: LiveModel,
  { tokens, cost }: Use,
  nowMs: number,
): ChargedModel {
  const { account } = live
  const charged = Math.min(cost, account.balance)
  const used = account.holds.has(live.model) ? tokens : live.model.tokens
  settle(account, live.model, { tokens: used, charge: charged, nowMs })
  const entry = { live, charged, writtenOff: cost - charged }
  model.charged.push(entry)
  return entry
}

export function bookCredit(
  model: ServiceModel,
  place: number,
  credit: {
    readonly reference: number
    readonly amount: number
    readonly kind: 'deposit' | 'grant'
  },
): 'booked' | 'repeated' | 'conflict' {
  const { reference, amount, kind } = credit
  const same = `${place} ${amount} ${kind}`
  const earlier = model.credits.get(reference)
  if (earlier !== undefined) return earlier === same ? 'repeated' : 'conflict'
  model.credits.set(reference, same)
  const account = model.accounts[place]!
  account.balance += amount
  if (kind === 'deposit') account.deposits += amount
  account.version += 1
  return 'booked'
}

/** On the embedded store all that was spilled is booked before the gate opens, and nothing later. */
export function canChargeLate(
  model: Readonly<ServiceModel>,
): readonly (ChargedModel | LiveModel)[] {
  return model.keepsWindows ? [...model.charged, ...model.died] : model.charged
}

/** Its requests die with it: nobody knows whether their tokens were used, so they stay counted. */
export function crash(model: ServiceModel, replica: number): void {
  for (const live of model.live.filter((one) => one.replica === replica)) {
    model.live.splice(model.live.indexOf(live), 1)
    live.account.holds.delete(live.model)
    model.died.push(live)
  }
  if (model.keepsWindows) return
  for (const account of model.accounts) account.window = undefined
}
