import type { Progress, Step } from '#move/index.ts'
import type { TaskProgress } from './task-progress.ts'

const SENTENCES: Readonly<Record<Step, string>> = {
  prepare: 'Bringing the embedded store up to date, booking what was spilled',
  verify_source: 'Adding up its books',
  make_tables: 'Making the tables in PostgreSQL',
  copy: 'Copying',
  verify_copy: 'Adding up the copy, and comparing',
}

/** A line for each step, and how far the copy is. */
export function showMove(progress: TaskProgress, told: Progress): void {
  if (told.kind === 'step') return progress.begin(SENTENCES[told.step])
  const { rows, total } = told
  progress.show({ done: rows, total, describe: (tookMs) => describeRows(rows, total, tookMs) })
}

function describeRows(rows: number, total: number, tookMs: number): string {
  const percent = Math.floor((rows / total) * 100)
  const rate = Math.round(rows / (Math.max(tookMs, 1) / 1_000))
  return `${format(rows)} of ${format(total)} rows (${percent} %), ${format(rate)} rows/s`
}

function format(count: number): string {
  return count.toLocaleString('en')
}
