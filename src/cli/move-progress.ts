import type { Progress, Step } from '#move/index.ts'
import type { Output } from './command-io.ts'

export interface MoveProgress {
  show(progress: Progress): void
  /** Ends a line that is being written over. */
  end(): void
}

const SENTENCES: Readonly<Record<Step, string>> = {
  prepare: 'Bringing the embedded store up to date, booking what was spilled',
  verify_source: 'Adding up its books',
  make_tables: 'Making the tables in PostgreSQL',
  copy: 'Copying',
  verify_copy: 'Adding up the copy, and comparing',
}

/** A terminal's line is written over; a log gets a line now and then. */
const EVERY_MS = { terminal: 100, log: 5_000 } as const

/** A line for each step, and how far the copy is. */
export function createMoveProgress(output: Output): MoveProgress {
  const everyMs = output.isTTY ? EVERY_MS.terminal : EVERY_MS.log
  let beganMs = 0
  let shownMs = 0
  let isOpen = false

  function end(): void {
    if (isOpen) output.write('\n')
    isOpen = false
  }

  function showRows(rows: number, total: number): void {
    const nowMs = performance.now()
    const isLast = rows >= total
    if (!isLast && nowMs - shownMs < everyMs) return
    shownMs = nowMs
    const line = describeRows(rows, total, nowMs - beganMs)
    if (!output.isTTY) return void output.write(`${line}\n`)
    output.write(`\r\u001B[K${line}`)
    isOpen = true
    if (isLast) end()
  }

  return {
    end,
    show(progress) {
      if (progress.kind === 'copied') return showRows(progress.rows, progress.total)
      end()
      output.write(`${SENTENCES[progress.step]}\n`)
      beganMs = performance.now()
      shownMs = beganMs
    },
  }
}

function describeRows(rows: number, total: number, tookMs: number): string {
  const percent = Math.floor((rows / total) * 100)
  const rate = Math.round(rows / (Math.max(tookMs, 1) / 1_000))
  return `  ${format(rows)} of ${format(total)} rows (${percent} %), ${format(rate)} rows/s`
}

function format(count: number): string {
  return count.toLocaleString('en')
}
