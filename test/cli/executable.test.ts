import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import { refusingUrl } from '../support/fake-upstream/index.ts'
import { startService } from '../support/service.ts'

const parley = fileURLToPath(new URL(`../../${packageJson.bin.parley}`, import.meta.url))

test('the executable runs: its version, a table from a service, and the exit code of a failure', async (t) => {
  accessSync(parley, constants.X_OK)
  const service = await startService()
  t.after(() => service.close())
  const env = { PARLEY_URL: service.origin, PARLEY_OPERATOR_TOKEN: service.operatorToken }
  assert.deepEqual(await execute(['--version'], {}), {
    code: 0,
    stdout: `${packageJson.version}\n`,
    stderr: '',
  })
  const models = await execute(['models'], env)
  assert.equal(models.code, 0)
  assert.match(models.stdout, /^air +svc-air-v1 +yes /m)
  const failed = await execute(['models'], { ...env, PARLEY_OPERATOR_TOKEN: 'wrong' })
  assert.deepEqual([failed.code, failed.stdout], [1, ''])
  assert.match(failed.stderr, /^[^\n]+\[invalid_operator_token\]\n$/)
})

test('serve explains a wrong setting without a stack', async () => {
  const { code, stdout, stderr } = await execute(['serve'], { PORT: 'eighty' })
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(
    stderr,
    'The configuration is not usable:\n  - PORT: must be a number from 1 to 65535\n',
  )
})

test('serve runs the service until it is told to stop, and the other commands find it', async (t) => {
  const env = { PORT: new URL(await refusingUrl()).port, PARLEY_DATA_DIR: makeDataDir(t) }
  const service = spawn(process.execPath, [parley, 'serve'], {
    cwd: env.PARLEY_DATA_DIR,
    env: { ...env, OLLAMA_HOST: '127.0.0.1:1', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  const listed = await execute(['account', 'list'], env)
  assert.match(listed.stdout, /you@localhost/)
  const second = await execute(['serve'], { ...env, OLLAMA_HOST: '127.0.0.1:1' })
  assert.equal(second.code, 1)
  assert.doesNotMatch(second.stderr, /^ +at /m)
  const exit = once(service, 'exit')
  service.kill('SIGTERM')
  const [code] = (await exit) as [number]
  assert.equal(code, 0)
})

function makeDataDir(t: TestContext): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-cli-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

/** Run where no parley.yaml is, and with no variable but those given. */
function execute(args: readonly string[], env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: tmpdir(), env: { ...env }, timeout: 30_000 }
    execFile(process.execPath, [parley, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
