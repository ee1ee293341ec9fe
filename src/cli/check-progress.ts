import type { Output } from './command-io.ts'

/** One line on a terminal, written over and in the end gone; nothing where nobody looks on. */
export interface CheckProgress {
  show(underWay: readonly string[]): void
  end(): void
}

const MAX_CHARACTERS = 70

export function createCheckProgress(output: Output): CheckProgress {
  const clear = '\r\u001B[K'
  return {
    show(underWay) {
      if (!output.isTTY || underWay.length === 0) return
      const text = `Looking at: ${underWay.join(', ')}`
      const isLong = text.length > MAX_CHARACTERS
      output.write(clear + (isLong ? `${text.slice(0, MAX_CHARACTERS)} …` : text))
    },
    end() {
      if (output.isTTY) output.write(clear)
    },
  }
}
