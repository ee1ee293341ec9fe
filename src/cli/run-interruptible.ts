import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { createTaskProgress, type TaskProgress } from './task-progress.ts'

/** What is given to a task that a person watches, and may end. */
export interface Interruptible {
  readonly progress: TaskProgress
  readonly signal: AbortSignal
}

/** Runs a task that takes long. Its refusals are for the person; `name` is what is ended, "the move". */
export async function runInterruptible<Result>(
  io: CommandIo,
  name: string,
  task: (tools: Interruptible) => Promise<Result>,
  isRefusal: (error: unknown) => error is Error,
): Promise<Result> {
  const interruption = new AbortController()
  const progress = createTaskProgress(io.stderr)
  const forget = io.onInterrupt?.(() => {
    progress.end()
    io.stderr.write(`Ending ${name}. Once more ends it at once.\n`)
    interruption.abort()
  })
  try {
    return await task({ progress, signal: interruption.signal })
  } catch (error) {
    if (!isRefusal(error)) throw error
    throw new CommandError(error.message, { cause: error })
  } finally {
    progress.end()
    forget?.()
  }
}
