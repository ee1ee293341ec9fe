import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Set TMPDIR where the system's own is in memory: there a commit to disk costs nothing. */
export function createTemporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'parley-bench-'))
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}

export function withTemporaryDirectory<Result>(use: (directory: string) => Result): Result {
  const directory = createTemporaryDirectory()
  try {
    return use(directory)
  } finally {
    removeDirectory(directory)
  }
}
