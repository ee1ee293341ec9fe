import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Admission, AdmissionRequest, Allowance } from '#gate/index.ts'
import type { Ledger } from '#ledger/index.ts'
import { createId } from '#platform/ids.ts'
import { nano } from '#platform/money.ts'
import type { Engine } from '#platform/store/index.ts'
import {
  allowanceOf,
  decide,
  describeAdmission,
  earnedTierOf,
  fundsOf,
  heldBy,
  heldByKey,
  settle,
  spentOn,
  spentTodayByKey,
  type Decision,
} from './gate-model.ts'
import { insertKey, type KnownKey } from './gate-caller.ts'
import {
  chargeOf,
  openGateStore,
  openGateStoreAgain,
  settleHold,
  startReplica,
  type Replica,
} from './gate-rooms.ts'
import { runBeside, type OpenedStore } from './each-engine.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { bookCharge } from './open-ledger.ts'
import {
  bookCredit,
  canChargeLate,
  chargeFor,
  crash,
  createServiceModel,
  KEYS,
  type LiveModel,
  type ServiceModel,
  type Use,
} from './service-model.ts'

/** One process on the embedded store, or two on one PostgreSQL. */
export interface ServiceWorld {
  readonly clock: ManualClock
  readonly replicas: Replica[]
  readonly accountIds: readonly string[]
  readonly keys: readonly KnownKey[]
}

/** What one run after another begins with: accounts and keys that nothing has happened to. */
export interface ServiceStart extends ServiceWorld {
  readonly stores: readonly OpenedStore[]
  restore(): Promise<void>
}

/** Shortly before a midnight, so that a run crosses it now and then. */
const START_MS = Date.UTC(2026, 10, 21, 23, 58)

/** In an order in which none refers to a later one. */
const TABLES =
  'person account account_member api_key audit balance transfer receipt account_day'.split(' ')

export async function openServiceStart(t: TestContext, engine: Engine): Promise<ServiceStart> {
  const opened = await openGateStore(t, engine)
  const { store } = opened
  const isShared = engine === 'postgres'
  const stores = isShared ? [opened, await openGateStoreAgain(t, opened)] : [opened]
  // It is processes that crash here, never the machine: the disk need not be waited for.
  if (!isShared) await sql`pragma synchronous = off`.execute(store.db)
  const clock = createManualClock(START_MS)
  const replicas = stores.map((each) => startReplica(each, { clock }))
  const [first] = replicas as [Replica]
  await first.ledger.prepare()
  const accountIds: string[] = []
  for (const email of ['one@example.com', 'two@example.com']) {
    accountIds.push((await first.accounts.create({ email, name: undefined }, 'test')).id)
  }
  const keys: KnownKey[] = []
  for (const place of KEYS) keys.push(await insertKey(first, accountIds[place]!))
  const keep = TABLES.map((table) => `create table kept_${table} as select * from ${table}`)
  await runBeside(opened, keep)
  const restoring = [
    ...(isShared ? ['delete from gate_hold', 'delete from gate_account'] : []),
    ...TABLES.toReversed().map((table) => `delete from ${table}`),
    ...TABLES.map((table) => `insert into ${table} select * from kept_${table}`),
  ]
  const restore = async (): Promise<void> => {
    if (isShared) await sql.raw(restoring.join(';')).execute(store.db)
    else await runBeside(opened, restoring)
  }
  return { stores, accountIds, keys, clock, replicas, restore }
}

/** Begins with the same store each time, so that what a run ends with is its own doing. */
export async function createServiceWorld(
  start: ServiceStart,
): Promise<{ model: ServiceModel; real: ServiceWorld }> {
  const { stores, clock } = start
  await start.restore()
  clock.set(START_MS)
  const isShared = stores.length > 1
  // What is kept in memory is of the accounts before: another process begins with none of it.
  if (!isShared) await restart(start, 0)
  return { model: createServiceModel(isShared), real: start }
}

/** So many equal requests at the same time, each decided as if they came one after the other. */
export async function admit(
  model: ServiceModel,
  world: ServiceWorld,
  asked: {
    readonly key: number
    readonly replica: number
    readonly count: number
    readonly wanted: AdmissionRequest['wanted']
  },
): Promise<void> {
  const { wanted } = asked
  const replica = asked.replica % world.replicas.length
  const { gate } = world.replicas[replica]!
  const keyHash = world.keys[asked.key]?.keyHash ?? 'nobody'
  const admissions = await Promise.all(
    Array.from({ length: asked.count }, () =>
      gate.admit({ keyHash, requestId: createId('req'), wanted }),
    ),
  )
  const place = model.keys[asked.key]
  for (const admission of admissions) {
    if (place === undefined) assert.equal(admission.kind, 'unknown')
    else compareAdmission(model, world, { admission, wanted, key: asked.key, replica })
  }
}

function compareAdmission(
  model: ServiceModel,
  { clock }: ServiceWorld,
  asked: {
    readonly admission: Admission
    readonly wanted: AdmissionRequest['wanted']
    readonly key: number
    readonly replica: number
  },
): void {
  const { admission, wanted, replica } = asked
  const account = model.accounts[model.keys[asked.key]!]!
  const key = model.keyLimits[asked.key]!
  const nowMs = clock.nowMs()
  const { hold, ...decision } = decide(account, key, wanted, nowMs)
  assert.deepEqual(describeAdmission(admission), decision satisfies Decision)
  if (admission.kind === 'refused' && admission.refusal.limit === 'key_ceiling') {
    const { spent, held, ceiling } = admission.refusal
    const use = [spentTodayByKey(account, key, nowMs), heldByKey(account, key), key.ceiling]
    assert.deepEqual([spent, held, ceiling], use)
  }
  if (admission.kind === 'refused' && admission.refusal.limit === 'balance') {
    const { balance, held } = admission.refusal
    assert.deepEqual([balance, held], [account.balance, heldBy(account)])
  }
  if (admission.kind !== 'admitted' || !hold) return
  const tiers = { minTiers: new Set<number>(), earnedTiers: new Set<number>() }
  model.live.push({ account, replica, model: hold, hold: admission.hold, ...tiers })
}

/** Charges for the request at a place, and then tells the gate, as chat does. */
export async function settleOne(
  model: ServiceModel,
  world: ServiceWorld,
  place: number,
  use: Use,
): Promise<void> {
  const [live] = model.live.splice(place % model.live.length, 1) as [LiveModel]
  const { charged, writtenOff } = chargeFor(model, live, use, world.clock.nowMs())
  const told = await settleHold(world.replicas[live.replica]!, live.hold, use)
  assert.deepEqual([told.charged.charged, told.charged.writtenOff], [charged, writtenOff])
  assert.deepEqual(told.charged.funds, fundsOf(live.account))
  noteTiers(live)
  checkAllowance(world, live, told.allowance, [earnedTierOf(live.account)])
}

/** Charges for all requests of a replica at once, in the order in which they came. */
export async function settleAll(
  model: ServiceModel,
  world: ServiceWorld,
  replica: number,
  use: Use,
): Promise<void> {
  const at = replica % world.replicas.length
  const ending = model.live.filter((live) => live.replica === at)
  const expected = ending.map((live) => {
    model.live.splice(model.live.indexOf(live), 1)
    const { charged, writtenOff } = chargeFor(model, live, use, world.clock.nowMs())
    return [charged, writtenOff]
  })
  const told = await Promise.all(
    ending.map(({ hold }) => settleHold(world.replicas[at]!, hold, use)),
  )
  assert.deepEqual(
    told.map(({ charged }) => [charged.charged, charged.writtenOff]),
    expected,
  )
}

export async function abandon(
  model: ServiceModel,
  world: ServiceWorld,
  place: number,
): Promise<void> {
  const [live] = model.live.splice(place % model.live.length, 1) as [LiveModel]
  settle(live.account, live.model, { tokens: 0, charge: null, nowMs: world.clock.nowMs() })
  const allowance = await world.replicas[live.replica]!.gate.release(live.hold)
  checkAllowance(world, live, allowance, live.earnedTiers)
}

export async function credit(
  model: ServiceModel,
  world: ServiceWorld,
  asked: Parameters<typeof bookCredit>[2] & { readonly place: number; readonly replica: number },
): Promise<void> {
  const { place, replica, kind, amount, reference } = asked
  const { accounts } = world.replicas[replica % world.replicas.length]!
  const wanted = { kind, amount: nano(amount), reference: `${reference}` }
  const told = await accounts.credit(world.accountIds[place]!, wanted, 'test')
  assert.equal(told.kind, bookCredit(model, place, asked))
}

/**
 * Charges once more for a request that was charged for or, where other replicas go on while one of
 * them comes back, for one that died before anything was.
 */
export async function chargeLate(
  model: ServiceModel,
  world: ServiceWorld,
  asked: { readonly place: number; readonly replica: number; readonly use: Use },
): Promise<void> {
  const { ledger } = world.replicas[asked.replica % world.replicas.length]!
  const known = canChargeLate(model)
  const chosen = known[asked.place % known.length]!
  if (!('charged' in chosen)) {
    return chargeDied(model, world, { live: chosen, ledger, use: asked.use })
  }
  const told = await bookCharge(ledger, chargeOf(chosen.live.hold, asked.use))
  assert.deepEqual([told.charged, told.writtenOff], [chosen.charged, chosen.writtenOff])
  assert.deepEqual(told.funds, fundsOf(chosen.live.account))
}

async function chargeDied(
  model: ServiceModel,
  { clock }: ServiceWorld,
  asked: { readonly live: LiveModel; readonly ledger: Ledger; readonly use: Use },
): Promise<void> {
  const { live, ledger, use } = asked
  model.died.splice(model.died.indexOf(live), 1)
  const { charged, writtenOff } = chargeFor(model, live, use, clock.nowMs())
  const told = await bookCharge(ledger, chargeOf(live.hold, use))
  assert.deepEqual([told.charged, told.writtenOff], [charged, writtenOff])
  assert.deepEqual(told.funds, fundsOf(live.account))
}

/**
 * A replica dies, perhaps just after it has charged for a request. Another begins in its place,
 * perhaps by booking what the one before it had to spill.
 */
export async function crashReplica(
  model: ServiceModel,
  world: ServiceWorld,
  asked: { readonly replica: number; readonly lastUse: Use | null; readonly spilled: Use | null },
): Promise<void> {
  const place = asked.replica % world.replicas.length
  const { ledger, opened } = world.replicas[place]!
  const last = model.live.findIndex((live) => live.replica === place)
  if (asked.lastUse && last >= 0) {
    const [live] = model.live.splice(last, 1) as [LiveModel]
    chargeFor(model, live, asked.lastUse, world.clock.nowMs())
    await bookCharge(ledger, chargeOf(live.hold, asked.lastUse))
  }
  const orphans = model.live.filter((live) => live.replica === place)
  crash(model, place)
  if (opened.store.engine === 'postgres') await sweepAway(opened, orphans)
  await restart(world, place)
  const live = orphans[0]
  if (!asked.spilled || !live) return
  await chargeDied(model, world, {
    live,
    ledger: world.replicas[place]!.ledger,
    use: asked.spilled,
  })
}

async function restart({ replicas, clock }: ServiceWorld, place: number): Promise<void> {
  const { opened, gate } = replicas[place]!
  // Only its timer: that of a process that has died does not go on either.
  if (opened.store.engine === 'sqlite') await gate.close()
  replicas[place] = startReplica(opened, { clock })
}

/** As if the time of its lease had passed: the others end its holds. */
async function sweepAway({ store }: OpenedStore, orphans: readonly LiveModel[]): Promise<void> {
  if (orphans.length === 0) return
  const requestIds = orphans.map(({ hold }) => hold.requestId)
  await sql`
    update gate_replica set expires_at = 0
    where id in (select replica_id from gate_hold where request_id = any(${requestIds}))`.execute(
    store.db,
  )
  const { rows } = await sql<{ swept: number }>`select sweep_holds() as swept`.execute(store.db)
  assert.deepEqual(rows, [{ swept: orphans.length }])
}

/** What the gate says is held and the ledger says is there, is what the model says. */
export async function compareWithStore(model: ServiceModel, world: ServiceWorld): Promise<void> {
  for (const live of model.live) noteTiers(live)
  const { accountIds, replicas } = world
  const { gate, ledger } = replicas.at(-1)!
  const [held, funds] = await Promise.all([gate.held(accountIds), ledger.funds(accountIds)])
  for (const [place, account] of model.accounts.entries()) {
    const id = accountIds[place]!
    assert.equal(held.get(id) ?? 0, heldBy(account), `held by account ${place}`)
    assert.deepEqual(funds.get(id), fundsOf(account), `funds of account ${place}`)
  }
}

/** Ends what is under way; then nothing may be held, and the books must add up. */
export async function closeServiceWorld(model: ServiceModel, world: ServiceWorld): Promise<void> {
  while (model.live.length > 0) await abandon(model, world, 0)
  await compareWithStore(model, world)
  const [{ ledger, opened }] = world.replicas as [Replica]
  for (const [place, key] of world.keys.entries()) {
    const { spentDay: day, version } = model.accounts[KEYS[place]!]!
    const spent = spentOn(model.keyLimits[place]!, day)
    assert.deepEqual(await ledger.keySpend(key), { day, version, spent })
  }
  assert.deepEqual((await ledger.verify()).discrepancies, [])
  if (opened.store.engine !== 'postgres') return
  const { rows } = await sql`select * from gate_hold`.execute(opened.store.db)
  assert.deepEqual(rows, [])
}

/** What is told at a request's end is of now, but the tier may be from since it was admitted. */
function checkAllowance(
  { clock }: ServiceWorld,
  { account, minTiers }: LiveModel,
  told: Allowance,
  earnedTiers: Iterable<number>,
): void {
  const { tier, requestsLeft, tokensLeft, resetMs, resetS } = told
  const allowed = new Set<number>()
  for (const earned of earnedTiers) {
    for (const least of minTiers) allowed.add(Math.max(earned, least))
  }
  assert.ok(allowed.has(tier.number), `tier ${tier.number} is none of ${[...allowed].join()}`)
  assert.deepEqual(
    [tier.number, requestsLeft, tokensLeft, resetMs, resetS],
    allowanceOf(account, clock.nowMs(), tier.number),
  )
}

function noteTiers({ account, minTiers, earnedTiers }: LiveModel): void {
  minTiers.add(account.minTier)
  earnedTiers.add(earnedTierOf(account))
}
