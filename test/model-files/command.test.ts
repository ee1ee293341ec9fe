import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { SUGGESTIONS } from '../../src/model-files/index.ts'
import { runCommand, startCommand } from '../cli/run-command.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { putEngine } from './fake-engine.ts'
import { startHub } from './fake-hub.ts'
import { makeGguf } from './gguf-bytes.ts'

const content = makeGguf()
const sha256 = createHash('sha256').update(content).digest('hex')
const atTerminal = ['stdin', 'stderr'] as const

test('suggestions are whole: permissive, pinned to a revision and a hash', () => {
  for (const { name, revision, sha256: hash, licence, sizeBytes } of SUGGESTIONS) {
    assert.match(name, /^[a-z0-9.-]+$/)
    assert.match(revision, /^[0-9a-f]{40}$/)
    assert.match(hash, /^[0-9a-f]{64}$/)
    assert.match(licence, /^(Apache-2\.0|MIT)$/)
    assert.ok(sizeBytes > 1e8 && sizeBytes < 4e9)
  }
  assert.equal(new Set(SUGGESTIONS.map(({ sha256: hash }) => hash)).size, SUGGESTIONS.length)
})

test('without a name the suggestions are shown; where nobody can be asked, that is all', async (t) => {
  const { run } = prepare(t)
  const listed = await run(['install'])
  assert.equal(listed.code, 1)
  assert.match(listed.stdout, /^NAME .*\nqwen3-0\.6b +639\.4 MB +Apache-2\.0 +32768 /)
  assert.match(listed.stderr, /^Name one of these/)
})

test('a person is told what it takes, where from and where to, and may say no', async (t) => {
  const { run, dataDir } = prepare(t)
  const refused = await run(['install'], { terminals: atTerminal, input: 'qwen3-0.6b\nn\n' })
  assert.equal(refused.code, 0)
  for (const told of [
    'Engine   node-llama-cpp',
    'Model    qwen3-0.6b: 639.4 MB, Apache-2.0',
    'From     https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/',
    'SHA-256  9465e63a22add535',
    `To       ${join(dataDir, 'models', 'qwen3-0.6b.gguf')}`,
    'GB there',
    'Install? [y/N] Nothing was installed.',
  ]) {
    assert.ok(refused.stderr.includes(told), `${told} is not in ${refused.stderr}`)
  }
  assert.ok(!existsSync(join(dataDir, 'models')))
  const unasked = await run(['install', 'qwen3-0.6b'])
  assert.deepEqual(
    [unasked.code, unasked.stderr.split('\n').at(-2)],
    [1, 'Nobody can be asked here: add --yes.'],
  )
  const gone = await run(['install'], { terminals: atTerminal, input: '' })
  assert.deepEqual([gone.code, gone.stdout], [0, ''])
})

test('a model comes from an address, with the hash that the hub tells', async (t) => {
  const { run, dataDir } = prepare(t)
  const hub = await startHub(t, content)
  hub.head = {
    headers: { 'x-linked-etag': `"${sha256}"`, 'x-linked-size': String(content.length) },
  }
  const path = join(dataDir, 'models', 'tiny.gguf')
  const installed = await run(['install', hub.url], { terminals: atTerminal, input: 'y\n' })
  assert.deepEqual([installed.code, installed.stdout], [0, `${path}\n`])
  assert.ok(installed.stderr.includes(`${sha256}, as the hub says`))
  assert.match(installed.stderr, /\] 100 % {2}0\.3 MB of 0\.3 MB/)
  assert.match(installed.stderr, /Installed tiny \(qwen3, context of 2,048 tokens\)/)
  assert.match(installed.stderr, /Restart the service.*parley chat "Hello"\n$/)
  assert.deepEqual(readFileSync(path), content)
  assert.equal(statSync(path).mode & 0o077, 0)
  const again = await run(['install', hub.url, '--yes'])
  assert.equal(again.code, 0)
  assert.equal(hub.requests.filter(({ method }) => method === 'GET').length, 1)
})

test('without a hash it is told that none is checked, and a wrong one is refused', async (t) => {
  const { run, dataDir } = prepare(t)
  const hub = await startHub(t, content)
  const plain = await run(['install', hub.url, '--yes'])
  assert.equal(plain.code, 0)
  assert.match(plain.stderr, /^SHA-256 {2}is not known, and not checked \(--sha256\)$/m)
  assert.equal((await run(['remove', 'tiny', '--yes'])).code, 0)
  const wrong = await run(['install', hub.url, '--yes', '--sha256', 'ab'.repeat(32)])
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /its SHA-256 is [0-9a-f]{64}, and should be abab/)
  assert.deepEqual(readdirSync(join(dataDir, 'models')), ['parley.lock'])
})

test('a suggestion comes from the hub that is named, and only as it was when it was looked at', async (t) => {
  const { run, dataDir } = prepare(t)
  const hub = await startHub(t, content)
  const other = await run(['install', 'qwen3-0.6b', '--hub', `${hub.origin}/`, '--yes'])
  assert.equal(other.code, 1)
  assert.match(other.stderr, /has 300\d+ bytes, and should have 639446688: it is another file/)
  const [suggestion] = SUGGESTIONS
  assert.deepEqual(
    hub.requests.map(({ path }) => path),
    [`/Qwen/Qwen3-0.6B-GGUF/resolve/${suggestion?.revision}/Qwen3-0.6B-Q8_0.gguf`],
  )
  assert.ok(!existsSync(join(dataDir, 'models', 'qwen3-0.6b.gguf')))
})

test('what would not fit on the disk is refused before anything is asked', async (t) => {
  const { run } = prepare(t)
  const hub = await startHub(t, content)
  hub.head = { headers: { 'content-length': String(1e15) } }
  const { code, stderr } = await run(['install', hub.url, '--yes'])
  assert.equal(code, 1)
  assert.match(stderr, /There is no room for it .* it takes 1,000,000 GB, and .* are free/)
  assert.deepEqual(
    hub.requests.map(({ method }) => method),
    ['HEAD'],
  )
})

test('what could be changed on its way, and what means nothing, is refused', async (t) => {
  const { run, directory } = prepare(t)
  writeFileSync(join(directory, 'page.gguf'), '<html>'.padEnd(100))
  for (const [wanted, sentence] of [
    ['http://example.com/x.gguf', /which is not https/],
    ['https://me:secret@example.com/x.gguf', /password in it/],
    ['https://127.0.0.1/x.zip', /is no name of a model file/],
    ['https://127.0.0.1/x-00001-of-00002.gguf', /one part of a model in several/],
    ['qwen9', /no suggestion and no file "qwen9". The suggestions are qwen3-0\.6b, /],
    [join(directory, 'page.gguf'), /no GGUF file/],
    [directory, /is no file/],
  ] as const) {
    const { code, stdout, stderr } = await run(['install', wanted, '--yes'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, sentence)
    assert.doesNotMatch(stderr, /me:secret/)
  }
  const hub = await run(['install', 'qwen3-0.6b', '--hub', 'http://mirror.example.com', '--yes'])
  assert.match(hub.stderr, /The hub is http:\/\/mirror\.example\.com.*not https/)
})

test('a file of this machine is copied, or linked, and the last one installed is used', async (t) => {
  const { run, dataDir, directory } = prepare(t)
  const [one, two] = [join(directory, 'one.gguf'), join(directory, 'two.gguf')]
  for (const path of [one, two]) {
    writeFileSync(path, content)
    utimesSync(path, 1, 1)
  }
  assert.equal((await run(['install', one, '--yes'])).code, 0)
  const copy = join(dataDir, 'models', 'one.gguf')
  assert.notEqual(statSync(copy).ino, statSync(one).ino)
  assert.equal((await run(['install', two, '--link', '--yes', '--sha256', sha256])).code, 0)
  assert.equal(statSync(join(dataDir, 'models', 'two.gguf')).ino, statSync(two).ino)
  const { stdout, stderr } = await run(['list'])
  assert.match(
    stdout,
    /^two +0\.3 MB +apache-2\.0 +qwen3 +2048 +used\none +0\.3 MB +apache-2\.0 +qwen3 +2048 +-$/m,
  )
  assert.match(stderr, /^Engine: node-llama-cpp \d/)
  const taken = await run(['install', one, '--yes'])
  assert.deepEqual([taken.code, taken.stderr.includes('parley model remove one')], [1, true])
  const wrong = await run(['install', one, '--yes', '--sha256', 'ab'.repeat(32)])
  assert.match(wrong.stderr, /There is another model at/)
})

test('the list is for scripts too, and tells what goes before it, what is damaged and what is not whole', async (t) => {
  const { run, dataDir, directory } = prepare(t)
  const models = join(dataDir, 'models')
  mkdirSync(models)
  writeFileSync(join(models, 'fine.gguf'), content)
  writeFileSync(join(models, 'broken.gguf'), 'GGUF')
  writeFileSync(join(models, 'begun.gguf.part'), 'GGUF')
  utimesSync(join(models, 'broken.gguf'), 1, 1)
  const given = join(directory, 'elsewhere.gguf')
  const { json } = await run(['list', '--json'], { env: { PARLEY_MODEL: given } })
  assert.deepEqual((json as { models: unknown[] }).models[0], {
    name: 'fine',
    path: join(models, 'fine.gguf'),
    size_bytes: content.length,
    licence: 'apache-2.0',
    architecture: 'qwen3',
    context_tokens: 2_048,
    used_at_next_start: false,
  })
  const { stdout, stderr } = await run(['list'], { env: { PARLEY_MODEL: given } })
  assert.match(stdout, /^broken .* damaged +- +-$/m)
  assert.doesNotMatch(stdout, / used$/m)
  assert.match(
    stderr,
    /^Not whole: begun\..*\nPARLEY_MODEL is set, and goes before what is installed\.$/m,
  )
})

test('a model is removed when a person agrees, and what is used next is told', async (t) => {
  const { run, dataDir } = prepare(t)
  const models = join(dataDir, 'models')
  mkdirSync(models)
  for (const name of ['a.gguf', 'b.gguf', 'b.gguf.part', 'b.gguf.part.json']) {
    writeFileSync(join(models, name), content)
  }
  const asked = await run(['remove', 'b'], { terminals: atTerminal, input: 'no\n' })
  assert.deepEqual([asked.code, asked.stderr], [0, 'Delete b? [y/N] Nothing was deleted.\n'])
  assert.equal((await run(['remove', 'b'])).stderr, 'Nobody can be asked here: add --yes.\n')
  const removed = await run(['remove', 'b'], { terminals: atTerminal, input: 'y\n' })
  assert.match(removed.stderr, /Deleted b\. The next start uses a\.\n$/)
  assert.deepEqual(readdirSync(models), ['a.gguf', 'parley.lock'])
  const last = await run(['remove', 'a', '--yes'])
  assert.equal(last.stderr, 'Deleted a. No installed model is used now.\n')
  const none = await run(['remove', '../a', '--yes'])
  assert.equal(none.stderr, 'There is no model "../a" here. There is none.\n')
})

test('two installations at once do not meet', async (t) => {
  const { run, start, dataDir } = prepare(t)
  const hub = await startHub(t, content)
  hub.deeds = [{ stallAfter: 70_000 }]
  const first = start(['install', hub.url, '--yes'])
  await first.stderr.until('Downloading the model')
  const second = await run(['install', hub.url, '--yes'])
  assert.equal(second.code, 1)
  assert.match(second.stderr, /Another parley model command is at work in/)
  const removal = await run(['remove', 'tiny', '--yes'])
  assert.equal(removal.code, 1)
  first.interrupt()
  const { code, stderr } = await first.ended
  assert.equal(code, 1)
  assert.match(stderr, /Interrupted/)
  assert.equal((await run(['install', hub.url, '--yes'])).code, 0)
  assert.deepEqual(readFileSync(join(dataDir, 'models', 'tiny.gguf')), content)
})

function prepare(t: TestContext) {
  const directory = makeTemporaryDirectory(t)
  const dataDir = join(directory, 'data')
  mkdirSync(dataDir)
  putEngine(dataDir)
  const withDataDir = <Options extends { env?: object }>(options?: Options) => ({
    ...options,
    env: { PARLEY_DATA_DIR: dataDir, ...options?.env },
  })
  return {
    directory,
    dataDir,
    run: (args: readonly string[], options?: Parameters<typeof runCommand>[2]) =>
      runCommand(undefined, ['model', ...args], withDataDir(options)),
    start: (args: readonly string[]) =>
      startCommand(undefined, ['model', ...args], withDataDir({})),
  }
}
