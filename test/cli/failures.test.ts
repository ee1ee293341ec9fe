import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { refusingUrl } from '../support/fake-upstream/index.ts'
import { OPERATOR_TOKEN } from '../support/app-options.ts'
import { startService } from '../support/service.ts'
import { runCommand } from './run-command.ts'

const commands = [
  ['account', 'create', '--email', 'a@b.c'],
  ['account', 'list'],
  ['account', 'show', 'a@b.c'],
  ['account', 'set', 'acc_x', '--suspend'],
  ['key', 'create', 'acc_x', '--name', 'n'],
  ['key', 'list', 'acc_x'],
  ['key', 'revoke', 'acc_x', 'key_x'],
  ['credit', 'acc_x', '1', '--kind', 'grant', '--reference', 'r'],
  ['receipts', 'acc_x'],
  ['models'],
  ['models', 'enable', 'air'],
  ['models', 'disable', 'air'],
  ['ledger', 'verify'],
  ['person', 'list'],
  ['person', 'show', 'a@b.c'],
  ['person', 'promote', 'per_x'],
  ['person', 'demote', 'per_x'],
  ['person', 'sign-out', 'per_x'],
  ['client', 'create', '--name', 'n', '--kind', 'public', '--redirect-uri', 'https://a.b/c'],
  ['client', 'list'],
  ['client', 'show', 'app_x'],
  ['client', 'update', 'app_x', '--name', 'n'],
  ['client', 'rotate-secret', 'app_x'],
  ['client', 'delete', 'app_x'],
  ['signing-key', 'list'],
  ['signing-key', 'rotate', '--now'],
  ['signing-key', 'drop', '-kid'],
  ['audit'],
  ['chat', '--key', 'svc_live_x', 'Hi'],
]
const groups = ['account', 'key', 'ledger', 'person', 'client', 'signing-key']
const others = [...groups, 'serve', 'migrate', 'login', 'whoami', 'logout'].map((name) => [name])

test('every command says in one line that no service is running, and where it looked', async () => {
  const PARLEY_URL = await refusingUrl()
  const origin = PARLEY_URL.replace('/v1', '')
  for (const args of commands) {
    const { code, stdout, stderr } = await runCommand(undefined, args, {
      env: { PARLEY_URL, PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN },
    })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.equal(
      stderr,
      `No service can be reached at ${origin} (ECONNREFUSED). Is it running? Set PARLEY_URL if it is elsewhere.\n`,
    )
  }
})

test('every operator command says that its token is wrong, and whence it came', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  for (const args of commands.filter(([name]) => name !== 'chat')) {
    service.clock.advance(60_000)
    const env = { PARLEY_OPERATOR_TOKEN: 'not-the-token' }
    const { code, stdout, stderr } = await runCommand(service, args, { env })
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(
      stderr,
      /^http:\S+ refuses the operator token from PARLEY_OPERATOR_TOKEN: .* \[invalid_operator_token\]\n$/,
    )
  }
})

test('the token is read from the data directory, and where it is not there that is told', async (t) => {
  const service = await startService()
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-cli-'))
  t.after(async () => {
    rmSync(dataDir, { recursive: true })
    await service.close()
  })
  const run = () =>
    runCommand(service, ['models'], {
      env: { PARLEY_OPERATOR_TOKEN: undefined, PARLEY_DATA_DIR: dataDir },
    })
  const path = join(dataDir, 'operator-token')
  const missing = await run()
  assert.equal(missing.code, 1)
  assert.equal(
    missing.stderr,
    `No operator token: PARLEY_OPERATOR_TOKEN is not set and there is no file ${path}. Set it, or run this where the service runs.\n`,
  )
  writeFileSync(path, `${OPERATOR_TOKEN}\n`)
  assert.equal((await run()).code, 0)
  writeFileSync(path, 'another-token')
  assert.ok((await run()).stderr.includes(`refuses the operator token from ${path}`))
  writeFileSync(path, 'a token')
  assert.match((await run()).stderr, /^The token or key has a space/)
  rmSync(path)
  chmodSync(dataDir, 0o000)
  // Root may read everything, and then finds nothing.
  assert.match((await run()).stderr, /cannot be read \(EACCES\)|there is no file/)
  chmodSync(dataDir, 0o700)
})

test('an address that is none, or where something else answers, is told', async (t) => {
  const env = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN }
  const at = (PARLEY_URL: string) =>
    runCommand(undefined, ['models'], { env: { ...env, PARLEY_URL } })
  assert.match((await at('localhost:8080')).stderr, /^PARLEY_URL is "localhost:8080": set it to/)
  const page = await listen(t, (_request, response) => response.end('<html>'))
  assert.match((await at(page)).stderr, /^http:\S+ does not answer as Parley does\./)
  const proxy = await listen(t, (_request, response) => response.writeHead(502).end('<html>'))
  assert.match((await at(proxy)).stderr, /does not answer as Parley does \(HTTP 502\)/)
  const moved = await listen(t, (_request, response) =>
    response.writeHead(301, { location: 'https://elsewhere.test/' }).end(),
  )
  assert.match((await at(moved)).stderr, /HTTP 301, a redirect to https:\/\/elsewhere\.test\//)
  const cut = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{', () => response.destroy())
  })
  assert.match((await at(cut)).stderr, /^The connection to http:\S+ broke off/)
})

test('a stream that ends before its end is told, with what had come of it', async (t) => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Half' }, finish_reason: null }] }
  const PARLEY_URL = await listen(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${JSON.stringify(chunk)}\n\n`)
  })
  const { code, stdout, stderr } = await runCommand(undefined, ['chat', '--key', 'k', 'Hi'], {
    env: { PARLEY_URL },
  })
  assert.deepEqual([code, stdout], [1, 'Half\n'])
  assert.equal(stderr, `The connection to ${PARLEY_URL} broke off before the reply had ended.\n`)
})

test('PARLEY_URL may end in /v1, as the base URL does', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  for (const end of ['/', '/v1', '/v1/']) {
    const env = { PARLEY_URL: service.origin + end }
    assert.equal((await runCommand(service, ['models'], { env })).code, 0)
  }
})

test('without PARLEY_URL the service is looked for on this machine, on PORT', async () => {
  const PORT = new URL(await refusingUrl()).port
  const { stderr } = await runCommand(undefined, ['models'], {
    env: { PORT, PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  assert.ok(stderr.startsWith(`No service can be reached at http://127.0.0.1:${PORT} `))
})

test('every command explains itself with an example', async () => {
  for (const args of [...commands, ...others]) {
    const names = args.slice(0, args[0] === 'chat' || args[0] === 'receipts' ? 1 : 2)
    const { code, stdout, stderr } = await runCommand(undefined, [...names, '--help'])
    assert.deepEqual([code, stderr], [0, ''], names.join(' '))
    assert.match(stdout, /^Usage: parley /)
    assert.match(stdout, /\nExample:\n {2}.*parley /)
  }
})

test('a wrong call exits with 2 and no stack', async () => {
  for (const args of [
    [],
    ['sky'],
    ['account'],
    ['account', 'sky'],
    ['audit', '--sky'],
    ['credit'],
  ]) {
    const { code, stdout, stderr } = await runCommand(undefined, args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.doesNotMatch(stderr, /^ +at /m)
  }
})

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
