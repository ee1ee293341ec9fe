import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty directory that is gone when the test is over. */
export function makeTemporaryDirectory(t: { after(remove: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
