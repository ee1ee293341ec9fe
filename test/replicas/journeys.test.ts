import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What callers and operators see does not depend on the engine: the same files, run once more. */
test('every journey over HTTP is the same on PostgreSQL', async (t) => {
  const environment = { ...process.env, PARLEY_TEST_STORE: 'postgres' }
  // Set by the runner of this file: with it the other would take itself for one of its tests.
  delete (environment as NodeJS.ProcessEnv)['NODE_TEST_CONTEXT']
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-timeout=120000', 'test/journeys/*.test.ts'],
    { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  const passed = Number(/^ℹ pass (\d+)$/m.exec(said)?.[1])
  assert.equal(code, 0, said.slice(said.indexOf('✖ failing tests')))
  assert.ok(passed > 100, `only ${passed} tests ran`)
  t.diagnostic(`${passed} tests`)
})
