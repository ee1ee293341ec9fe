import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { openConnection } from '../contract/raw-exchange.ts'
import { writeRequest } from '../contract/write-request.ts'
import { awaitValue, setScene } from '../upstreams/scene.ts'

const MIB = 1024 * 1024
const COUNT = 6

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function measureMemory(): number {
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('what a request says beyond what is of use is not held while its reply lasts', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ content: 'a b c', fault: { kind: 'hang', at: 'after-delta-2' } })
  const piece = Buffer.alloc(MIB, 'x')
  const start = '{"messages":[{"role":"user","content":"x"}],"stream":true,"max_tokens":9,"user":"'
  const length = start.length + 15 * MIB + 2
  const framing = `Content-Length: ${length}\r\n`
  const before = measureMemory()
  for (let count = 0; count < COUNT; count += 1) {
    const connection = await openConnection(scene.service)
    t.after(() => void connection.socket.destroy())
    const head = writeRequest({ key: scene.key, target: '/v1/chat/prime', framing, body: start })
    await connection.send(head, ...Array<Buffer>(15).fill(piece), '"}')
    await awaitValue(
      () => connection.received,
      (text) => text.includes('"content":"b '),
    )
  }
  const grown = measureMemory() - before
  assert.ok(grown < 2 * 15 * MIB, `${Math.round(grown / MIB)} MiB are held for ${COUNT} replies`)
})
