import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readGguf, type GgufReading } from '../../src/model-files/read-gguf.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { ENTRIES, makeGguf } from './gguf-bytes.ts'

test('a header tells what the model is', (t) => {
  assert.deepEqual(read(t, makeGguf()), {
    kind: 'gguf',
    header: {
      architecture: 'qwen3',
      name: 'Tiny',
      licence: 'apache-2.0',
      contextTokens: 2_048,
      hasChatTemplate: true,
    },
  })
})

test('a vocabulary as large as real ones is passed over', (t) => {
  const words = Array.from({ length: 150_000 }, (_, index) => `token ${index}`)
  const { 'tokenizer.chat_template': _template, ...entries } = ENTRIES
  const reading = read(t, makeGguf({ entries: { 'tokenizer.ggml.merges': words, ...entries } }))
  assert.equal(reading.kind, 'gguf')
  assert.equal(reading.header.architecture, 'qwen3')
  assert.equal(reading.header.hasChatTemplate, false)
})

test('what is none is refused, and why is told', (t) => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.alloc(0), /no GGUF/],
    [Buffer.from('<!doctype html><html></html>'), /no GGUF/],
    [makeGguf({ version: 1 }), /version 1/],
    [makeGguf({ version: 16_777_216 }), /version 16777216/],
    [makeGguf({ tensors: 0 }), /no weights/],
    [makeGguf({ entries: { 'general.name': 'x' } }), /which architecture/],
  ]
  for (const [bytes, reason] of cases) {
    const reading = read(t, bytes)
    assert.equal(reading.kind, 'refused')
    assert.match(reading.reason, reason)
  }
})

test('a header that is cut anywhere, or has any of its bytes wrong, is read or refused, and never more', (t) => {
  // Its only tensor has four bytes: without the first of them it ends too early.
  const whole = makeGguf({ weightBytes: 4 })
  const path = join(makeTemporaryDirectory(t), 'x.gguf')
  for (let at = 0; at <= whole.length - 4; at += 1) {
    writeFileSync(path, whole.subarray(0, at))
    assert.equal(readGguf(path).kind, 'refused')
    const wrong = Buffer.from(whole)
    wrong[at] = 255
    writeFileSync(path, wrong)
    assert.match(readGguf(path).kind, /^(gguf|refused)$/)
  }
})

function read(t: TestContext, bytes: Buffer): GgufReading {
  const path = join(makeTemporaryDirectory(t), 'x.gguf')
  writeFileSync(path, bytes)
  return readGguf(path)
}
