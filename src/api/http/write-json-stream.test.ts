import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeJsonStream } from './write-json-stream.ts'

async function* count(to: number): AsyncGenerator<number> {
  for (let next = 1; next <= to; next += 1) yield next
}

async function written(value: unknown): Promise<unknown> {
  return JSON.parse((await Array.fromAsync(writeJsonStream(value))).join(''))
}

test('lists that come piece by piece are arrays, wherever they stand', async () => {
  async function* nested() {
    yield { numbers: count(2), plain: [1, { two: 2 }], gone: undefined }
    yield null
  }
  assert.deepEqual(await written({ a: 'é"\n', none: count(0), deep: { list: nested() } }), {
    a: 'é"\n',
    none: [],
    deep: { list: [{ numbers: [1, 2], plain: [1, { two: 2 }] }, null] },
  })
  assert.deepEqual(await written([1, 'two']), [1, 'two'])
})

test('nothing is read before what came before it was taken', async () => {
  let read = 0
  async function* long() {
    for (; read < 100_000; read += 1) yield 'x'.repeat(1_000)
  }
  const pieces = writeJsonStream({ long: long() })
  await pieces.next()
  assert.ok(read < 100, `${read} were read for the first piece`)
  await pieces.return(undefined)
})
