import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Reply } from '../support/fake-upstream/index.ts'
import { readerOf, setScene, type Scene } from './scene.ts'

const MIB = 1024 * 1024
const roomy = { contextWindow: 2_000_000, maxOutputTokens: 990_000 }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Long words and blanks, about ten characters a token, so that 5 MiB fit a minute's allowance. */
const line = `${'understanding international communication '.repeat(3)}${' '.repeat(130)}`
const piece = line.repeat(Math.ceil(16_384 / line.length)).slice(0, 16_384)

function sizedReply(sizeBytes: number): Reply {
  return {
    deltas: Array<string>(sizeBytes / piece.length).fill(piece),
    pauses: [{ at: 'before-head', until: Promise.resolve() }],
  }
}

/** The most memory in use while the work goes on, beyond what was in use before. */
async function measurePeak(work: (look: () => void) => Promise<void>): Promise<number> {
  collectGarbage()
  const before = process.memoryUsage.rss()
  let peak = before
  await work(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  })
  return peak - before
}

async function streamThrough(scene: Scene, look: () => void): Promise<number> {
  const reader = await readerOf(scene.open({ stream: true }))
  let readBytes = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return readBytes
    readBytes += value.length
    look()
  }
}

test('a request of 1 MB reaches the upstream as it is', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  const content = 'Grüße, and words. '.repeat(11_000).slice(0, 200_000)
  const messages = Array.from({ length: 5 }, () => ({ role: 'user', content }))
  assert.ok(Buffer.byteLength(JSON.stringify(messages)) > MIB)
  const { status, text } = await scene.ask({ messages, max_tokens: 100 })
  assert.equal(status, 200, text)
  assert.deepEqual(scene.upstream.requests[0]?.body.messages?.slice(1), messages)
})

test('a reply of 5 MB arrives, whole', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  const reply = sizedReply(5 * MIB)
  scene.upstream.play(reply)
  const peak = await measurePeak(async (look) => {
    const { status, json } = await scene.ask()
    look()
    assert.equal(status, 200)
    assert.ok(json.choices[0].message.content === reply.deltas?.join(''))
    assert.equal(json.choices[0].finish_reason, 'stop')
  })
  assert.ok(peak < 250 * MIB, `${Math.round(peak / MIB)} MiB`)
})

test('a reply of 5 MB arrives in a stream, and is never held as a whole', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  scene.upstream.play(sizedReply(5 * MIB))
  assert.ok((await streamThrough(scene, () => {})) > 5 * MIB)
  assert.equal((await scene.receipts())[0]?.ended, 'completed')
  scene.service.clock.advance(60_000)
  const peak = await measurePeak(async (look) => void (await streamThrough(scene, look)))
  assert.ok(peak < 60 * MIB, `${Math.round(peak / MIB)} MiB`)
})

test('many streams after each other leave nothing behind', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  scene.upstream.play(sizedReply(MIB))
  const inUse: number[] = []
  for (let round = 0; round < 12; round += 1) {
    scene.service.clock.advance(60_000)
    await streamThrough(scene, () => {})
    collectGarbage()
    inUse.push(process.memoryUsage().heapUsed)
  }
  const growth = (inUse.at(-1) ?? 0) - (inUse[4] ?? 0)
  assert.ok(growth < 3 * MIB, `${Math.round(growth / 1024)} KiB over seven streams of 1 MiB`)
})
