import { findViolations, gatherEvidence } from './checks/index.ts'
import type { FaultName } from './faults/index.ts'
import { planRound } from './plan-round.ts'
import { runRound, type RoundReport } from './run-round.ts'
import { openStage, type Stage, type StoreWish } from './stage.ts'

export interface RoundsOptions {
  readonly store: StoreWish
  readonly rounds: readonly RoundWish[]
  readonly onRound: (report: RoundReport) => void
}

export interface RoundWish {
  readonly seed: number
  /** These faults instead of those that the seed would choose. */
  readonly only: readonly FaultName[]
}

/** A failure that a round of its own will show again. */
export interface Failure {
  readonly wish: RoundWish
  readonly violations: readonly string[]
  readonly complaints: readonly string[]
}

/** After so many a new store is begun: its disk is small. */
const ROUNDS_A_STAGE = 10

/** Runs rounds one after the other and stops at the first that fails. */
export async function runRounds(options: RoundsOptions): Promise<Failure | undefined> {
  for (let first = 0; first < options.rounds.length; first += ROUNDS_A_STAGE) {
    const stage = await openStage(options.store)
    try {
      const rounds = options.rounds.slice(first, first + ROUNDS_A_STAGE)
      const failure = await runOnStage(stage, { ...options, rounds })
      if (failure) return failure
    } finally {
      await stage.close()
    }
  }
  return undefined
}

async function runOnStage(stage: Stage, options: RoundsOptions): Promise<Failure | undefined> {
  const { rounds, onRound } = options
  for (const wish of rounds) {
    try {
      const report = await runRound(stage, planRound(wish.seed, wish.only, options.store.engine))
      onRound(report)
      const { violations, complaints } = report
      if (violations.length > 0) return { wish, violations, complaints }
    } catch (error) {
      return fail(wish, [`the round could not be held: ${describe(error)}`], stage)
    }
  }
  const last = rounds.at(-1) as RoundWish
  const violations = await lookAgain(stage)
  return violations.length > 0 ? fail(last, violations, stage) : undefined
}

/** What was right after its round is so still, after the others and after one more start. */
async function lookAgain({ world, operator, witnesses, floorBytes }: Stage): Promise<string[]> {
  for (let index = 0; index < world.replicas; index += 1) await world.kill(index)
  await world.start()
  const violations: string[] = []
  for (const witness of witnesses) {
    const evidence = await gatherEvidence(world, operator, witness)
    violations.push(...findViolations(evidence, floorBytes))
  }
  return violations.map((violation) => `at the end: ${violation}`)
}

function fail(wish: RoundWish, violations: readonly string[], { world }: Stage): Failure {
  return { wish, violations, complaints: world.complaints() }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
