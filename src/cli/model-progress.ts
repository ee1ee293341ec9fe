import type { Progress, Step } from '#model-files/index.ts'
import { formatBytes } from '#platform/format-bytes.ts'
import type { TaskProgress } from './task-progress.ts'

const SENTENCES: Readonly<Record<Step, string>> = {
  engine: 'Installing the engine by npm, which may take a minute',
  resume: 'Reading what is here of it',
  download: 'Downloading the model',
  copy: 'Copying the model',
  check: 'Comparing with the model that is there',
}

const BAR_WIDTH = 24

/** A line for each step, and a bar for what takes long. */
export function showInstallation(progress: TaskProgress, told: Progress): void {
  switch (told.kind) {
    case 'step':
      return progress.begin(SENTENCES[told.step])
    case 'retry':
      return progress.begin(`${told.reason}; trying again in ${told.inMs / 1_000} s`)
    case 'bytes': {
      const { done, total } = told
      return progress.show({ done, total, describe: (tookMs) => describeBytes(told, tookMs) })
    }
  }
}

/** `[######------------------]  25 %  159.9 MB of 639.4 MB, 12.3 MB/s, 39 s left` */
function describeBytes(
  { done, total, from }: Extract<Progress, { kind: 'bytes' }>,
  tookMs: number,
): string {
  const bytesPerSecond = ((done - from) / Math.max(tookMs, 1)) * 1_000
  const rate = `${formatBytes(bytesPerSecond)}/s`
  if (total === undefined) return `${formatBytes(done)}, ${rate}`
  const part = total === 0 ? 1 : Math.min(done / total, 1)
  const filled = Math.floor(part * BAR_WIDTH)
  const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '-')
  const percent = String(Math.floor(part * 100)).padStart(3)
  const left =
    done < total && bytesPerSecond > 0
      ? `, ${describeTime((total - done) / bytesPerSecond)} left`
      : ''
  return `[${bar}] ${percent} %  ${formatBytes(done)} of ${formatBytes(total)}, ${rate}${left}`
}

function describeTime(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
}
