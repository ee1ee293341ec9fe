import type { Output } from './command-io.ts'

const EVERY_MS = 1_000

/** Says at a terminal that something goes on, and for how long; returns what ends it. */
export function showWaiting(output: Output, sentence: string, everyMs = EVERY_MS): () => void {
  if (!output.isTTY) return () => {}
  const begunMs = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begunMs) / 1_000)
    output.write(`\r${sentence}… ${seconds} s`)
  }, everyMs)
  return () => {
    clearInterval(timer)
    // The line is there only where it took long enough.
    if (performance.now() - begunMs >= everyMs) output.write('\r\u001b[K')
  }
}
