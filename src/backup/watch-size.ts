import { statSync } from 'node:fs'
import type { OnProgress } from './progress.ts'

const EVERY_MS = 200

/** Tells how far a file has grown that somebody else writes. */
export function watchSize(
  path: string,
  total: number | undefined,
  onProgress: OnProgress,
): { end(): void } {
  const timer = setInterval(() => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    onProgress({ kind: 'bytes', bytes: size, total: total && Math.max(total, size) })
  }, EVERY_MS)
  return { end: () => clearInterval(timer) }
}
