import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const PROGRAM = `import { createClient, ParleyError, type Reply } from 'parley-client'

const client = createClient({ baseUrl: process.argv[2] ?? '', apiKey: process.argv[3] ?? '' })
const reply: Reply = await client.chat('air', { messages: [{ role: 'user', content: 'Hello!' }] })
const refused: unknown = await client.chat('air', { messages: [] }).catch((error: unknown) => error)
console.log(JSON.stringify([reply.object, refused instanceof ParleyError]))
`

test('the package that is published works where it is installed, with its types', async (t) => {
  const directory = makeTemporaryDirectory(t)
  const tarball = await packClient(join(directory, 'source'))
  const app = join(directory, 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(app, 'program.ts'), PROGRAM)
  await npm(app, ['install', '--offline', '--no-audit', '--no-fund', tarball])
  const installed = join(app, 'node_modules/parley-client')
  assert.deepEqual(globSync('**/*.{ts,json}', { cwd: installed, exclude: ['dist/**'] }), [
    'package.json',
  ])

  const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--types', 'node']
  symlinkSync(`${root}/node_modules/@types`, join(app, 'node_modules/@types'))
  await run('tsc', [...strict, 'program.ts'], { cwd: app, env: environment })

  const service = await serveFor(t)
  const { key } = await openAccount(service)
  const { stdout } = await run(process.execPath, ['program.ts', `${service.origin}/v1`, key], {
    cwd: app,
  })
  assert.deepEqual(JSON.parse(stdout), ['chat.completion', true])
})

test('the service hands the package out', async (t) => {
  const service = await serveFor(t)
  const reply = await fetch(`${service.origin}/docs/files/parley-client.tgz`)
  assert.equal(reply.status, 200)
  const files = gunzipSync(await reply.bytes()).toString('latin1')
  for (const name of ['package.json', 'README.md', 'dist/index.js', 'dist/index.d.ts']) {
    assert.ok(files.includes(`package/${name}\0`), name)
  }
})

test('what this repository imports as the client is its source', () => {
  const found = fileURLToPath(import.meta.resolve('parley-client'))
  assert.equal(found, join(root, 'client/src/index.ts'))
  const [source, published] = ['client/src', 'client'].map(readManifest)
  assert.deepEqual([source?.['name'], source?.['private']], [published?.['name'], true])
})

function readManifest(folder: string): Record<string, unknown> {
  const text = readFileSync(`${root}/${folder}/package.json`, 'utf8')
  return JSON.parse(text) as Record<string, unknown>
}

const bin = `${root}/node_modules/.bin`
const environment = {
  ...process.env,
  PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
}

/** In a copy: what is built for the package is not to be seen by other tests. */
async function packClient(source: string): Promise<string> {
  cpSync(`${root}/client`, `${source}/client`, { recursive: true })
  cpSync(`${root}/tsconfig.json`, `${source}/tsconfig.json`)
  const { stdout } = await npm(`${source}/client`, ['pack', '--json'])
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string }]
  return join(source, 'client', filename)
}

function npm(cwd: string, args: readonly string[]) {
  return run('npm', [...args], { cwd, env: environment })
}
