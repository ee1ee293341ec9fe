import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { nano } from '#platform/money.ts'
import { StoreGone } from '#platform/store/index.ts'
import type { Charge, Charged, Charging } from '../../src/ledger/charge.ts'
import { createPatientCommit, type PatientCommitOptions } from '../../src/ledger/patient-commit.ts'
import { createSpillFile, type SpillFile } from '../../src/ledger/spill-file.ts'
import { makeCharge } from './open-ledger.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

export const RETRY_MS = 1
export const SHORT_MS = 4
/** Longer than any of these tests may take. */
export const LONG_MS = 60_000

export type Outcome = 'works' | 'hangs' | Error

export const gone = new StoreGone('gone')
export const aways: readonly (readonly [string, Error])[] = [
  ['its connection gone', gone],
  ['its disk full', withCode(13)],
  ['its disk failing', withCode(266)],
  ['its file read-only', withCode(8)],
]

export function withCode(code: number): Error {
  return Object.assign(new Error(`SQLite says ${code}`), { code })
}

export const charge = (requestId: string): Charge => makeCharge('anna', requestId)

export function describeCharged({ cost }: Charge): Charged {
  const funds = { balance: cost, deposits: cost, spentDay: '', spent: cost, version: 2 }
  return { charged: cost, writtenOff: nano(0), funds }
}

/** A commit that does as it is told, in turn; the last outcome repeats. */
export function createCommits(...script: Outcome[]) {
  const tried: string[][] = []
  const booked: string[] = []
  let outcomes = script
  return {
    tried,
    booked,
    now(...next: Outcome[]): void {
      outcomes = next
    },
    async commit(batch: readonly Charge[]): Promise<Charged[]> {
      const ids = batch.map(({ requestId }) => requestId)
      tried.push(ids)
      const [outcome = 'works', ...later] = outcomes
      if (later.length > 0) outcomes = later
      if (outcome === 'hangs') return Promise.withResolvers<Charged[]>().promise
      if (outcome !== 'works') throw outcome
      booked.push(...ids)
      return batch.map(describeCharged)
    },
  }
}

/** The real thing with a file of its own, and what it logs. */
export function createPatience(
  t: Pick<TestContext, 'after'>,
  options: Pick<PatientCommitOptions, 'commit' | 'patienceMs'> & { readonly spill?: SpillFile },
) {
  const path = join(makeTemporaryDirectory(t), 'spill.jsonl')
  const logged: string[] = []
  const write = (fields: object, sentence: string): void => {
    logged.push(`${sentence} ${JSON.stringify(fields)}`)
  }
  const log = { debug: write, info: write, warn: write, error: write }
  const spill = options.spill ?? createSpillFile(path)
  const patient = createPatientCommit({ ...options, spill, log, retryMs: RETRY_MS })
  t.after(() => patient.close())
  return { patient, path, spill, logged }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startMs = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - startMs < 5_000, `it never became true: ${String(holds)}`)
    await nextTurn()
  }
}

export async function idsIn(spill: SpillFile): Promise<string[]> {
  return (await spill.read()).map(({ requestId }) => requestId)
}

export function bookingOf(charging: Charging | undefined): Promise<Charged> {
  if (charging?.kind !== 'spilled') throw new Error(`it was ${charging?.kind}, not spilled`)
  return charging.booked
}
