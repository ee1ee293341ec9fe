import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { nano } from '#platform/money.ts'
import { makeCharge } from '../../test/support/open-ledger.ts'
import { makeTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import { createSpillFile } from './spill-file.ts'

function createFile(t: Pick<TestContext, 'after'>) {
  const path = join(makeTemporaryDirectory(t), 'spill.jsonl')
  return { path, spill: createSpillFile(path) }
}

const a = makeCharge('anna', 'a')
const b = makeCharge('anna', 'b', { cost: nano(0), finishReason: null, firstTokenMs: null })
const c = makeCharge('böb "\n', 'c', { cost: nano(9_000_000_000_000_000) })

test('what was appended is read again, in its order and to the last field', async (t) => {
  const { spill } = createFile(t)
  assert.deepEqual(await spill.read(), [])
  await spill.append([a, b])
  await spill.append([c])
  assert.deepEqual(await spill.read(), [a, b, c])
})

test('each charge is one line of JSON', async (t) => {
  const { path, spill } = createFile(t)
  await spill.append([a, b])
  await spill.append([c])
  const lines = readFileSync(path, 'utf8').split('\n')
  assert.equal(lines.pop(), '')
  assert.deepEqual(
    lines.map((line): unknown => JSON.parse(line)),
    [a, b, c],
  )
})

/** Calls back each time that a file has been told to go to the disk, before it is there. */
async function spyOnSync(t: TestContext, path: string, onSync: () => void): Promise<void> {
  const handle = await open(path, 'a')
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  const { sync } = prototype
  t.mock.method(prototype, 'sync', async function spy(this: FileHandle) {
    onSync()
    return sync.call(this)
  })
}

test('a promise to append resolves only after the whole line has gone to the disk', async (t) => {
  const { path, spill } = createFile(t)
  const synced: string[] = []
  await spyOnSync(t, `${path}.other`, () => synced.push(readFileSync(path, 'utf8')))
  await spill.append([a])
  assert.ok(synced.includes(`${JSON.stringify(a)}\n`))
})

test('nobody but the service may read it', async (t) => {
  const { path, spill } = createFile(t)
  await spill.append([a])
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a last line that was cut off by a crash is not read', async (t) => {
  const { path, spill } = createFile(t)
  await spill.append([a, b])
  appendFileSync(path, JSON.stringify(c).slice(0, 40))
  assert.deepEqual(await spill.read(), [a, b])
})

test('wherever a crash cuts the file off, every whole line before is read', async (t) => {
  const { path, spill } = createFile(t)
  const text = [a, b, c].map((charge) => `${JSON.stringify(charge)}\n`).join('')
  const bytes = Buffer.from(text)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), async (length) => {
      const cut = bytes.subarray(0, length)
      writeFileSync(path, cut)
      const whole = cut.filter((byte) => byte === 0x0a).length
      assert.deepEqual(await spill.read(), [a, b, c].slice(0, whole))
    }),
  )
})

test('what is appended behind a line that was cut off is not lost with it', async (t) => {
  const { path, spill } = createFile(t)
  await spill.append([a])
  // What a full disk leaves behind: a part of the line, and an error.
  appendFileSync(path, JSON.stringify(b).slice(0, 40))
  await spill.append([c])
  assert.deepEqual(await spill.read(), [a, c])
})

test('a charge whose append failed is not in the file: its reply was refused', async (t) => {
  const { path, spill } = createFile(t)
  await spill.append([a])
  let fails = true
  await spyOnSync(t, `${path}.other`, () => {
    if (!fails) return
    fails = false
    throw Object.assign(new Error('the disk fails'), { code: 'EIO' })
  })
  await assert.rejects(spill.append([b]), { code: 'EIO' })
  assert.deepEqual(await spill.read(), [a])
})

test('it is cleared, more than once or before there is anything, and then begins anew', async (t) => {
  const { path, spill } = createFile(t)
  await spill.clear()
  await spill.append([a])
  await spill.clear()
  await spill.clear()
  assert.equal(existsSync(path), false)
  assert.deepEqual(await spill.read(), [])
  await spill.append([b])
  assert.deepEqual(await spill.read(), [b])
})

test('a file that cannot be read or written says so, and is not taken for an empty one', async (t) => {
  const { path, spill } = createFile(t)
  mkdirSync(path)
  await assert.rejects(spill.append([a]), { code: 'EISDIR' })
  await assert.rejects(spill.read(), { code: 'EISDIR' })
})
