import { setTimeout as delay } from 'node:timers/promises'
import { createRandom } from '../support/random.ts'
import { findViolations, gatherEvidence, type Evidence, type Witness } from './checks/index.ts'
import { FAULTS, type Fault, type Scene } from './faults/index.ts'
import type { PlannedFault, RoundPlan } from './plan-round.ts'
import { openAccounts, type RoundAccount } from './traffic/accounts.ts'
import { startCashier } from './traffic/cashier.ts'
import { startLoad, type Load } from './traffic/load.ts'
import type { Stage } from './stage.ts'
import { startTicking } from './world/tick.ts'
import type { World } from './world/world.ts'
import type { Operator } from './world/operator.ts'

export interface RoundReport {
  readonly plan: RoundPlan
  readonly requests: number
  /** Requests that ended whole at their clients. */
  readonly replies: number
  /** How many were refused, by the code that they were told. */
  readonly refusals: ReadonlyMap<string, number>
  /** Receipts in the books. */
  readonly charges: number
  readonly durationMs: number
  readonly keptBytes: number
  readonly floorBytes: number
  /** Faults that this machine does not allow, with the reason. */
  readonly skipped: readonly string[]
  readonly violations: readonly string[]
  readonly complaints: readonly string[]
}

/** Load goes on after the last fault, so that what it has broken shows. */
const AFTERMATH_MS = 400
const QUIET_MS = 8_000
/** The holds of a replica that died are ended by the others. */
const SHARED_QUIET_MS = 30_000
const QUIET_PAUSE_MS = 50

/** One storm over the service, then the reckoning. What clients saw is added to the witnesses. */
export async function runRound(stage: Stage, plan: RoundPlan): Promise<RoundReport> {
  const startedMs = performance.now()
  const { world, operator, witnesses } = stage
  const lossesBefore = world.holdLosses()
  const accounts = await openAccounts(operator, `${witnesses.length}-${plan.seed}`)
  const skipped: string[] = []
  const { load, paidIn, surprises } = await storm(stage, plan, accounts, skipped)
  const inDoubt = mayLeaveDoubt(plan)
  const { attempts } = load
  const mayOverspend = world.holdLosses() > lossesBefore
  const witness: Witness = { accounts, attempts, paidIn, inDoubt, mayOverspend }
  witnesses.push(witness)
  await untilQuiet(world, operator, accounts)
  const evidence = await gatherEvidence(world, operator, witness)
  return {
    plan,
    ...count(witness, evidence),
    durationMs: performance.now() - startedMs,
    keptBytes: Math.max(...evidence.measurements.map(({ keptBytes }) => keptBytes)),
    floorBytes: stage.floorBytes,
    skipped,
    violations: [...surprises, ...findViolations(evidence, stage.floorBytes)],
    complaints: world.complaints(),
  }
}

function mayLeaveDoubt({ faults }: RoundPlan): boolean {
  const names = new Set(faults.map(({ name }) => name))
  return names.has('store-forgets') && (names.has('disk-full') || names.has('disk-read-only'))
}

function count({ attempts }: Witness, { accounts }: Evidence) {
  return {
    requests: attempts.length,
    replies: attempts.filter(({ end }) => end.kind === 'whole').length,
    refusals: countRefusals(attempts),
    charges: accounts.reduce((total, { receipts }) => total + receipts.length, 0),
  }
}

function countRefusals(attempts: Witness['attempts']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { end } of attempts) {
    if (end.kind === 'refused') counts.set(end.code, (counts.get(end.code) ?? 0) + 1)
  }
  return counts
}

interface Aftermath {
  readonly load: Load
  readonly paidIn: ReadonlyMap<string, bigint>
  readonly surprises: readonly string[]
}

async function storm(
  stage: Stage,
  plan: RoundPlan,
  accounts: readonly RoundAccount[],
  skipped: string[],
): Promise<Aftermath> {
  const { world, upstreams, operator } = stage
  const spending = accounts.filter(({ name }) => name !== 'patient')
  const patient = accounts.find(({ name }) => name === 'patient') as RoundAccount
  const paidTo = accounts[0] as RoundAccount
  upstreams.follow(createRandom(plan.seed))
  const load = startLoad(world, spending, plan.seed)
  const cashier = startCashier(operator, paidTo, `${stage.witnesses.length}-${plan.seed}`)
  const clock = startTicking(world)
  const inflicted = await Promise.allSettled(
    plan.faults.map(async (planned) => {
      const random = createRandom(planned.seed)
      const anyAccount = (): RoundAccount => random.pick(spending)
      const scene: Scene = { world, upstreams, load, anyAccount, patient, random }
      await inflict(planned, scene, skipped)
    }),
  )
  await delay(AFTERMATH_MS)
  await load.stop()
  await cashier.stop()
  await clock.stop()
  for (const one of inflicted) if (one.status === 'rejected') throw one.reason
  const paidIn = new Map([[paidTo.accountId, cashier.paidNano()]])
  return { load, paidIn, surprises: cashier.surprises }
}

async function inflict(planned: PlannedFault, scene: Scene, skipped: string[]): Promise<void> {
  const fault: Fault = FAULTS[planned.name]
  const reason = fault.whyNot?.(scene.world)
  if (reason !== undefined) {
    skipped.push(`${planned.name}: ${reason}`)
    return
  }
  await delay(planned.startMs)
  await fault.inflict(scene)
}

/** Waits until nothing is under way. Should it never be, the checks will say what is left. */
async function untilQuiet(
  world: World,
  operator: Operator,
  accounts: readonly RoundAccount[],
): Promise<void> {
  const deadlineMs =
    performance.now() + (world.holdExpiryMs === undefined ? QUIET_MS : SHARED_QUIET_MS)
  while (performance.now() < deadlineMs && !(await isQuiet(world, operator, accounts))) {
    await delay(QUIET_PAUSE_MS)
  }
}

async function isQuiet(
  world: World,
  operator: Operator,
  accounts: readonly RoundAccount[],
): Promise<boolean> {
  if (world.hasSpilled()) return false
  const measurements = await world.measure()
  // The operator's own connection stays open between two questions.
  if (measurements.some(({ connections }) => connections > 2)) return false
  for (const { accountId } of accounts) {
    const seen = await operator.call<{ held_eur: string }>('GET', `/accounts/${accountId}`)
    if (seen.held_eur !== '0.00') return false
  }
  return true
}
