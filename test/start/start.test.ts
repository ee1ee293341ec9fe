import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { startChild, type Child } from '../support/child.ts'
import { findFreePort } from '../support/child-service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

interface Completion {
  readonly object: string
  readonly model: string
  readonly choices: readonly { readonly message: { readonly content: string } }[]
}

const KEY = /svc_live_[0-9A-Za-z]{43}/g
const LINK = /http:\/\/127\.0\.0\.1:\d+\/link\/[\w-]{43}/
const WAY_IN = /npx parley person link you@localhost --operator/
const NO_OLLAMA = { OLLAMA_HOST: 'http://127.0.0.1:1' }

interface StartOptions {
  readonly directory?: string
  /** Default: one that is free. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
}

interface Start {
  readonly child: Child
  readonly port: number
  readonly directory: string
  stop(): Promise<void>
}

/** As `npm start` in a directory of its own, where no configuration lies. */
async function start(
  t: TestContext,
  { directory = makeTemporaryDirectory(t), port = 0, env = {} }: StartOptions = {},
): Promise<Start> {
  const taken = port === 0 ? await findFreePort() : port
  const child = startChild('src/main.ts', [], {
    cwd: directory,
    env: {
      PORT: `${taken}`,
      PARLEY_OPS_PORT: '0',
      LOG_LEVEL: 'error',
      ...NO_OLLAMA,
      ...env,
    },
  })
  t.after(() => child.kill())
  return {
    child,
    port: taken,
    directory,
    async stop() {
      child.process.kill('SIGTERM')
      assert.equal(await child.ended, 0)
    },
  }
}

async function startReady(t: TestContext, options?: StartOptions): Promise<Start> {
  const started = await start(t, options)
  await started.child.said(/Parley is ready\.[^]*\n\n$/)
  assert.equal(started.child.stderr, '')
  return started
}

/** Runs what a person copies from the screen, to the end of its last line, and reads what it shows. */
async function runCurlLine(screen: string): Promise<Completion> {
  const lines = screen.split('\n')
  const first = lines.findIndex((line) => line.trimStart().startsWith('curl '))
  assert.ok(first >= 0, 'no curl line is shown')
  let last = first
  while (lines[last]?.endsWith('\\')) last += 1
  const command = lines.slice(first, last + 1).join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { timeout: 10_000 })
  return JSON.parse(stdout) as Completion
}

test('the first start shows the address, the models, a key, and a command that works as it is', async (t) => {
  const { child, port, directory } = await startReady(t)
  assert.match(child.stdout, new RegExp(`API +http://127\\.0\\.0\\.1:${port}/v1\\n`))
  assert.match(child.stdout, /Models +air: simulated · prime: simulated · nova: simulated\n/)
  assert.match(child.stdout, /npx parley model install, or set PARLEY_UPSTREAM_URL/)
  assert.equal(new Set(child.stdout.match(KEY)).size, 1)
  assert.ok(readdirSync(`${directory}/data`).includes('parley.db'))
  const { object, model, choices } = await runCurlLine(child.stdout)
  assert.deepEqual([object, model], ['chat.completion', 'svc-air-v1'])
  assert.ok(choices[0]!.message.content.length > 0)
  const document = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`)
  assert.equal(document.status, 200)
})

test('a later start shows no key, and the key of the first goes on working', async (t) => {
  const first = await startReady(t)
  const [key] = first.child.stdout.match(KEY) as [string]
  await first.stop()
  const { child, port } = await startReady(t, { directory: first.directory })
  assert.doesNotMatch(child.stdout, KEY)
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/models`, { headers })).status, 200)
})

/** Follows the link that is shown, as the button of its page does; returns what opens the console. */
async function follow(screen: string): Promise<Record<string, string>> {
  const url = LINK.exec(screen)?.[0] ?? ''
  const { origin } = new URL(url)
  const response = await fetch(url, { method: 'POST', headers: { origin }, redirect: 'manual' })
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/console'])
  const [cookie = ''] = response.headers.getSetCookie()
  return { cookie: cookie.split(';', 1)[0] ?? '' }
}

test('the first start shows a link that signs in as the operator, once; later ones how to make one', async (t) => {
  const { child, port, directory, stop } = await startReady(t)
  assert.match(child.stdout, new RegExp(`Console +http://127\\.0\\.0\\.1:${port}/console\\n`))
  assert.match(child.stdout, /signed in as its operator \(once, within 24 hours\):\n\n +http/)
  assert.doesNotMatch(child.stdout, WAY_IN)
  await stop()
  const second = await startReady(t, { directory, env: { LOG_LEVEL: 'info' } })
  assert.doesNotMatch(second.child.stdout, LINK)
  assert.match(second.child.stdout, WAY_IN)
  const shown = child.stdout.replaceAll(`:${port}`, `:${second.port}`)
  const headers = await follow(shown)
  const origin = `http://127.0.0.1:${second.port}`
  const person = await fetch(`${origin}/console/api/person`, { headers })
  const { email, role } = (await person.json()) as { email: string; role: string }
  assert.deepEqual([email, role], ['you@localhost', 'operator'])
  assert.equal((await fetch(`${origin}/operator/v1/accounts`, { headers })).status, 200)
  await assert.rejects(follow(shown), /410/)
  await second.stop()
  const token = new URL(LINK.exec(shown)?.[0] ?? '').pathname.split('/').at(-1) ?? ''
  assert.match(second.child.stdout, /"route":"\/link\/:token"/)
  assert.ok(!(second.child.stdout + second.child.stderr).includes(token), 'it is not logged')
  const third = await startReady(t, { directory })
  for (const pattern of [LINK, WAY_IN]) assert.doesNotMatch(third.child.stdout, pattern)
})

test('production refuses to simulate, says what to do, and shows no key where it may', async (t) => {
  const env = { NODE_ENV: 'production' }
  const refused = await start(t, { env })
  assert.equal(await refused.child.ended, 1)
  assertPlain(refused.child, /models\.air: .*PARLEY_ALLOW_SIMULATED=1/)
  const allowed = await startReady(t, { env: { ...env, PARLEY_ALLOW_SIMULATED: '1' } })
  for (const pattern of [KEY, LINK, WAY_IN]) assert.doesNotMatch(allowed.child.stdout, pattern)
  await allowed.stop()
})

/** A sentence for people on standard error, nothing else, and not a stack. */
function assertPlain({ stdout, stderr }: Child, says: RegExp): void {
  assert.match(stderr, says)
  assert.doesNotMatch(stderr, /^\s+at |node:internal|Error:/m)
  assert.doesNotMatch(stdout, KEY)
}

test('a port in use is told with what to set, and the start after it still shows the key', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { child, directory } = await start(t, { port })
  assert.equal(await child.ended, 1)
  assertPlain(child, new RegExp(`${port} is in use\\..*PORT`))
  const next = await startReady(t, { directory })
  assert.equal(new Set(next.child.stdout.match(KEY)).size, 1)
})

test('a store in use is told with what to set', async (t) => {
  const { directory, child, port } = await startReady(t)
  const second = await start(t, { directory })
  assert.equal(await second.child.ended, 1)
  assertPlain(second.child, /Another process is using the data in .*PARLEY_DATA_DIR/)
  const [key] = child.stdout.match(KEY) as [string]
  const headers = { authorization: `Bearer ${key}` }
  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/models`, { headers })).status, 200)
})

test('all that is wrong with the configuration is told, a line each', async (t) => {
  const env = { PORT: 'eighty', LOG_LEVEL: 'loud', PARLEY_CONFIG: '/nowhere.yaml' }
  const { child } = await start(t, { env })
  assert.equal(await child.ended, 1)
  assertPlain(child, /The configuration is not usable:\n( {2}- .*\n){3}/)
  for (const name of ['PORT', 'LOG_LEVEL', 'PARLEY_CONFIG']) {
    assert.match(child.stderr, new RegExp(`^ {2}- ${name}: `, 'm'))
  }
})

test('an address that is not of this machine, or a data directory that is a file, is told', async (t) => {
  const far = await start(t, { env: { HOST: '192.0.2.1' } })
  assert.equal(await far.child.ended, 1)
  assertPlain(far.child, /192\.0\.2\.1.*HOST/)
  const file = await start(t, { env: { PARLEY_DATA_DIR: '/dev/null' } })
  assert.equal(await file.child.ended, 1)
  assertPlain(file.child, /\/dev\/null.*PARLEY_DATA_DIR|PARLEY_DATA_DIR.*\/dev\/null/)
})

test('an Ollama that runs where OLLAMA_HOST says answers, with the model changed last', async (t) => {
  const asked: unknown[] = []
  const ollama = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/api/tags') {
      response.end(JSON.stringify({ models: tags }))
      return
    }
    request.on('data', (bytes: Buffer) => asked.push(JSON.parse(bytes.toString())))
    request.on('end', () => response.end(JSON.stringify(completion)))
  })
  ollama.listen(0, '127.0.0.1')
  t.after(() => ollama.close())
  await once(ollama, 'listening')
  const { port: ollamaPort } = ollama.address() as AddressInfo
  const { child, stop } = await startReady(t, { env: { OLLAMA_HOST: `127.0.0.1:${ollamaPort}` } })
  assert.match(child.stdout, /air: ollama newest:8b · prime: ollama newest:8b/)
  assert.doesNotMatch(child.stdout, /simulated/)
  const { choices } = await runCurlLine(child.stdout)
  assert.equal(choices[0]!.message.content, 'from the llama')
  assert.equal((asked[0] as { model: string }).model, 'newest:8b')
  await stop()
})

const tags = [
  { name: 'older:8b', modified_at: '2026-01-01T00:00:00Z' },
  { name: 'newest:8b', modified_at: '2026-11-01T00:00:00Z' },
]

const message = { role: 'assistant', content: 'from the llama' }
const completion = {
  object: 'chat.completion',
  model: 'newest:8b',
  choices: [{ index: 0, finish_reason: 'stop', message }],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
}
