import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { download, type Wanted } from '../../src/model-files/download.ts'
import { ModelRefused } from '../../src/model-files/model-refused.ts'
import type { Progress } from '../../src/model-files/progress.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { startHub, type Hub } from './fake-hub.ts'
import { makeGguf } from './gguf-bytes.ts'

const content = makeGguf()

test('a download whose connection is cut again and again goes on each time where it was', async (t) => {
  const { hub, run, path, directory } = await prepare(t)
  hub.deeds = [{ cutAfter: 70_000 }, { cutAfter: 1 }, { cutAfter: 100_000 }, { status: 503 }]
  const told = await run()
  assert.deepEqual(readFileSync(path), content)
  assert.deepEqual(readdirSync(directory), ['tiny.gguf'], 'nothing of the way there is left')
  const begun = hub.requests.map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]))
  assert.equal(hub.requests.length, 5)
  assert.deepEqual(
    begun,
    begun.toSorted((a, b) => a - b),
    'no byte is asked for twice',
  )
  assert.ok((begun[1] ?? 0) > 0 && (begun[3] ?? 0) > (begun[1] ?? 0))
  assert.equal(told.filter(({ kind }) => kind === 'retry').length, 4)
  const last = told.findLast((one) => one.kind === 'bytes')
  assert.deepEqual([last?.done, last?.total], [content.length, content.length])
})

test('one that was broken off goes on at the next run, with the hash of the whole', async (t) => {
  const { hub, run, path } = await prepare(t)
  await breakOff(hub, run)
  const here = statSync(`${path}.part`).size
  assert.ok(here > 0 && !existsSync(path))
  hub.requests.length = 0
  const told = await run()
  assert.deepEqual(readFileSync(path), content)
  assert.deepEqual(hub.requests[0]?.range, `bytes=${here}-`)
  assert.deepEqual(hub.requests[0]?.ifRange, '"one"')
  assert.deepEqual(told[0], { kind: 'step', step: 'resume' })
})

const changed = makeGguf({ weightBytes: 200_000 })

test('a file that has changed meanwhile is downloaded from its beginning', async (t) => {
  for (const deed of [{}, { ignoresIfRange: true }] as const) {
    const { hub, run, path } = await prepare(t, { sha256: undefined, sizeBytes: undefined })
    await breakOff(hub, run)
    Object.assign(hub, { content: changed, etag: '"two"', deeds: [deed] })
    await run()
    assert.deepEqual(readFileSync(path), changed)
  }
})

test('so is what is shorter now than what is here of it', async (t) => {
  const { hub, run, path } = await prepare(t, { sha256: undefined, sizeBytes: undefined })
  await breakOff(hub, run, 280_000)
  Object.assign(hub, { content: changed, etag: '"two"', deeds: [{ ignoresIfRange: true }] })
  await run()
  assert.deepEqual(readFileSync(path), changed)
})

test('so is what comes from a server without ranges, and what neither mark nor hash would tell', async (t) => {
  const plain = await prepare(t)
  plain.hub.deeds = [{ cutAfter: 70_000 }, { ignoresRange: true }]
  await plain.run()
  assert.deepEqual(readFileSync(plain.path), content)

  const unmarked = await prepare(t, { sha256: undefined, sizeBytes: undefined })
  unmarked.hub.etag = undefined
  unmarked.hub.deeds = [{ cutAfter: 70_000 }]
  await unmarked.run()
  assert.equal(unmarked.hub.requests[1]?.range, undefined)
  assert.deepEqual(readFileSync(unmarked.path), content)
})

test('what is here of another address or another hash is not gone on with', async (t) => {
  const { hub, run, path, wanted } = await prepare(t)
  await breakOff(hub, run)
  hub.requests.length = 0
  await run({ what: { ...wanted, url: `${hub.origin}/other.gguf` } })
  assert.equal(hub.requests[0]?.range, undefined)
  assert.deepEqual(readFileSync(path), content)
})

test('a wrong hash is refused, and deleted', async (t) => {
  const { hub, run, directory } = await prepare(t)
  hub.content = Buffer.from(content)
  hub.content[content.length - 1] = 7
  await assert.rejects(run(), isRefused(/its SHA-256 is [0-9a-f]{64}, and should be/))
  assert.deepEqual(readdirSync(directory), [])
})

test('a wrong byte in what was here already is found too', async (t) => {
  const { hub, run, path, directory } = await prepare(t)
  await breakOff(hub, run)
  const part = readFileSync(`${path}.part`)
  part[1_000] = 7
  writeFileSync(`${path}.part`, part)
  await assert.rejects(run(), isRefused(/SHA-256/))
  assert.deepEqual(readdirSync(directory), [])
})

test('what is no GGUF is refused at its first bytes, and what is a damaged one at its end', async (t) => {
  const page = await prepare(t, { sha256: undefined, sizeBytes: undefined })
  page.hub.content = Buffer.from('<!doctype html>'.padEnd(1_000_000))
  await assert.rejects(page.run(), isRefused(/is no GGUF file/))
  assert.deepEqual(readdirSync(page.directory), [])

  const damaged = await prepare(t, { sha256: undefined, sizeBytes: undefined })
  damaged.hub.content = content.subarray(0, 60)
  await assert.rejects(damaged.run(), isRefused(/it ends in the middle of its header/))
  assert.deepEqual(readdirSync(damaged.directory), [])
})

test('another size than was promised is refused before a byte is taken', async (t) => {
  const { hub, run, path } = await prepare(t)
  await breakOff(hub, run)
  const here = statSync(`${path}.part`).size
  Object.assign(hub, { content: changed, etag: '"two"' })
  await assert.rejects(run(), isRefused(/has 200\d+ bytes, and should have 300\d+/))
  assert.equal(statSync(`${path}.part`).size, here, 'what is here may be right')
})

test('more than was promised is cut off', async (t) => {
  const { hub, run, directory } = await prepare(t)
  hub.content = Buffer.concat([content, Buffer.alloc(1_000_000)])
  hub.deeds = [{ withoutLength: true }]
  await assert.rejects(run(), isRefused(/sends more than the/))
  assert.deepEqual(readdirSync(directory), [])
})

test('a length that nobody tells is no hindrance', async (t) => {
  const { hub, run, path } = await prepare(t, { sha256: undefined, sizeBytes: undefined })
  hub.deeds = [{ withoutLength: true }]
  await run()
  assert.deepEqual(readFileSync(path), content)
})

test('a server that falls silent is asked again', async (t) => {
  const { hub, run, path } = await prepare(t)
  hub.deeds = [{ stallAfter: 70_000 }]
  const told = await run({ idleMs: 300 })
  assert.deepEqual(readFileSync(path), content)
  assert.ok(told.some((one) => one.kind === 'retry' && one.reason === 'nothing came for a while'))
})

test('redirects are followed, but to nothing that others could change on its way', async (t) => {
  const { hub, run, path } = await prepare(t)
  hub.deeds = [{ status: 302, location: '/elsewhere/x.gguf' }, { cutAfter: 9_000 }]
  await run()
  assert.deepEqual(readFileSync(path), content)
  const paths = hub.requests.map((one) => one.path)
  assert.deepEqual(paths, ['/tiny.gguf', '/elsewhere/x.gguf', '/tiny.gguf'])

  const unsafe = await prepare(t)
  unsafe.hub.deeds = [{ status: 302, location: 'http://cdn.example.com/x.gguf' }]
  await assert.rejects(
    unsafe.run(),
    isRefused(/redirects to http:\/\/cdn\.example\.com.*not https/),
  )

  const circle = await prepare(t)
  circle.hub.deeds = Array.from({ length: 20 }, () => ({ status: 302, location: '/tiny.gguf' }))
  await assert.rejects(circle.run(), isRefused(/again and again/))
  assert.equal(circle.hub.requests.length, 6)
})

test('what will not change is told at once, and what might after some tries', async (t) => {
  for (const [status, sentence] of [
    [404, /There is no file at/],
    [403, /only to who is signed in/],
    [418, /status 418/],
  ] as const) {
    const { hub, run } = await prepare(t)
    hub.deeds = [{ status }]
    await assert.rejects(run(), isRefused(sentence))
    assert.equal(hub.requests.length, 1)
  }
  const { hub, run, path } = await prepare(t)
  hub.deeds = [{ cutAfter: 70_000 }, ...Array.from({ length: 20 }, () => ({ status: 503 }))]
  await assert.rejects(run(), isRefused(/does not come on: .*503.*is kept \(\d+/s))
  assert.equal(hub.requests.length, 6)
  assert.ok(statSync(`${path}.part`).size > 0)
})

async function prepare(t: TestContext, known: Partial<Wanted> = {}) {
  const hub = await startHub(t, content)
  const directory = makeTemporaryDirectory(t)
  const path = join(directory, 'tiny.gguf')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const wanted: Wanted = { url: hub.url, sizeBytes: content.length, sha256, ...known }
  /** `abortAt`: it is broken off, as by Ctrl-C, when so many bytes are here. */
  async function run({ what = wanted, idleMs = 30_000, abortAt = Infinity } = {}) {
    const told: Progress[] = []
    const interruption = new AbortController()
    await download(path, what, {
      signal: interruption.signal,
      retryMs: 1,
      idleMs,
      onProgress(one) {
        told.push(one)
        if (one.kind !== 'bytes') return
        hub.received(one.done)
        if (one.done >= abortAt) interruption.abort()
      },
    })
    return told
  }
  return { hub, directory, path, wanted, run: (how?: Parameters<typeof run>[0]) => run(how) }
}

async function breakOff(
  hub: Hub,
  run: (how: { abortAt: number }) => Promise<unknown>,
  abortAt = 70_000,
): Promise<void> {
  hub.deeds = [{ stallAfter: abortAt }]
  await assert.rejects(run({ abortAt }), { name: 'AbortError' })
}

function isRefused(sentence: RegExp) {
  return (error: unknown): true => {
    assert.ok(error instanceof ModelRefused)
    assert.match(error.message, sentence)
    return true
  }
}
