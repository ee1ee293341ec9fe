import type { Output } from './command-io.ts'

/** Tells a person how far a task is that takes long: a line for each of its steps. */
export interface TaskProgress {
  begin(sentence: string): void
  /** Says how far the step is, now and then. */
  show(how: Advance): void
  /** Ends a line that is being written over. */
  end(): void
}

export interface Advance {
  readonly done: number
  /** Undefined where nobody knows. */
  readonly total: number | undefined
  /** Given how long the step has taken. */
  readonly describe: (tookMs: number) => string
}

/** A terminal's line is written over; a log gets a line now and then. */
const EVERY_MS = { terminal: 100, log: 5_000 } as const

export function createTaskProgress(output: Output): TaskProgress {
  const everyMs = output.isTTY ? EVERY_MS.terminal : EVERY_MS.log
  let beganMs = 0
  let shownMs = 0
  let isOpen = false

  function end(): void {
    if (isOpen) output.write('\n')
    isOpen = false
  }

  return {
    end,
    begin(sentence) {
      end()
      output.write(`${sentence}\n`)
      beganMs = performance.now()
      shownMs = beganMs
    },
    show({ done, total, describe }) {
      const nowMs = performance.now()
      const isLast = total !== undefined && done >= total
      if (!isLast && nowMs - shownMs < everyMs) return
      shownMs = nowMs
      const line = `  ${describe(nowMs - beganMs)}`
      if (!output.isTTY) return void output.write(`${line}\n`)
      output.write(`\r\u001B[K${line}`)
      isOpen = true
      if (isLast) end()
    },
  }
}
