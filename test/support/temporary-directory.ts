import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** An empty directory that is gone when the test is over. */
export function makeTemporaryDirectory(t: Pick<TestContext, 'after'>): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
