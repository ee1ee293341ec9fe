import { createInterface } from 'node:readline'
import type { CommandIo } from './command-io.ts'

/** Questions to whoever sits at the terminal. */
export interface Questions {
  /** The answer without the spaces around it; undefined where the input ended. */
  ask(question: string): Promise<string | undefined>
  /** Whether the answer is yes; anything else is no. */
  confirm(question: string): Promise<boolean>
  end(): void
}

/** Undefined where nobody sits there. */
export function openQuestions({ stdin, stderr }: CommandIo): Questions | undefined {
  if (!stdin.isTTY) return undefined
  // Without the line editor, which would take Ctrl-C for itself.
  const lines = createInterface({ input: stdin, terminal: false })
  const answers = lines[Symbol.asyncIterator]()

  async function ask(question: string): Promise<string | undefined> {
    stderr.write(question)
    const { done, value } = await answers.next()
    if (!done) return value.trim()
    stderr.write('\n')
    return undefined
  }

  return {
    ask,
    confirm: async (question) => /^y(es)?$/i.test((await ask(`${question} [y/N] `)) ?? ''),
    end: () => lines.close(),
  }
}
