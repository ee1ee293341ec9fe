import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../client/src/read-events.ts'

const TEXT = ': hello\nevent: x\ndata: {"a":1}\n\ndata:two\ndata: lines\n\nid: 7\n\ndata: é€😀\n\n'
const EVENTS = ['{"a":1}', 'two\nlines', 'é€😀']

function toStream(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      controller.close()
    },
  })
}

for (const ending of ['\n', '\r\n', '\r']) {
  test(`events are read whatever their pieces are, lines ending in ${JSON.stringify(ending)}`, async () => {
    const bytes = new TextEncoder().encode(TEXT.replaceAll('\n', ending))
    for (let size = 1; size <= bytes.length; size += 1) {
      const events = await Array.fromAsync(readEvents(toStream(bytes, size)))
      assert.deepEqual(events, EVENTS, `pieces of ${size} bytes`)
    }
  })
}
