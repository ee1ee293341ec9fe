import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findChromium } from '../support/browser/find-chromium.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What callers and operators see does not depend on the engine: the same files, run once more. */
for (const [folder, least] of [
  ['journeys', 100],
  ['console/api', 30],
  // Those in a browser, where there is one.
  ...(findChromium() === undefined ? [] : [['console/journeys', 8] as const]),
] as const) {
  test(`every test of ${folder} is the same on PostgreSQL`, (t) => runAgain(t, folder, least))
}

async function runAgain(t: TestContext, folder: string, least: number): Promise<void> {
  const environment = { ...process.env, PARLEY_TEST_STORE: 'postgres' }
  // Set by the runner of this file: with it the other would take itself for one of its tests.
  delete (environment as NodeJS.ProcessEnv)['NODE_TEST_CONTEXT']
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-timeout=120000', `test/${folder}/*.test.ts`],
    { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  const passed = Number(/^ℹ pass (\d+)$/m.exec(said)?.[1])
  assert.equal(code, 0, said.slice(said.indexOf('✖ failing tests')))
  assert.ok(passed > least, `only ${passed} tests ran`)
  t.diagnostic(`${passed} tests`)
}
