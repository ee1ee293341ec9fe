import type { Progress, Step } from '#backup/index.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import type { TaskProgress } from './task-progress.ts'

const SENTENCES: Readonly<Record<Step, string>> = {
  copy: 'Copying the store',
  check: 'Checking the backup',
  restore: 'Restoring',
  verify: 'Adding up its books, and comparing',
}

/** A line for each step, and how far the copy is. */
export function showBackup(progress: TaskProgress, told: Progress): void {
  if (told.kind === 'step') return progress.begin(SENTENCES[told.step])
  const { bytes, total } = told
  const of = total === undefined ? '' : ` of ${formatBytes(total)}`
  progress.show({ done: bytes, total, describe: () => `${formatBytes(bytes)}${of}` })
}
