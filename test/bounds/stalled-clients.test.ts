import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { writeRequest } from '../contract/write-request.ts'
import type { Reply } from '../support/fake-upstream/index.ts'
import { awaitValue, setScene, within, type Scene } from '../upstreams/scene.ts'
import { openWatched } from './connections.ts'

const STALL_MS = 600
/** For a look eight times within a stall, and a machine that does something else as well. */
const SLACK_MS = 2_000
/** The system shows in steps of this size, or a smaller one, that something was taken. */
const STEP_BYTES = 2 * 1024 * 1024
/** The last chunk of a stream with its frame, or the end of a whole reply. */
const END = /data: \[DONE\]\n\n\r\n0\r\n\r\n$|"total_tokens":\d+\}\}$/

/** 40 MiB in few tokens: far more than the network takes on its own. */
const huge: Reply = {
  deltas: Array<string>(2_560).fill(' '.repeat(16 * 1024)),
  pauses: [{ at: 'before-head', until: Promise.resolve() }],
}

async function setStage(t: TestContext): Promise<Scene> {
  const scene = await setScene(t, {
    brands: { air: { contextWindow: 2_000_000, maxOutputTokens: 990_000 } },
    bounds: { stallTimeoutMs: STALL_MS },
  })
  scene.upstream.play(huge)
  return scene
}

async function assertLeft(scene: Scene): Promise<void> {
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.ended, 'client_left')
  assert.notEqual(receipt.cost_eur, '0.00')
  assert.equal((await scene.account()).held_eur, '0.00')
  assert.deepEqual((await scene.verify()).json.discrepancies, [])
}

test('a client that takes nothing of its stream is left after a time, and pays for what was made', async (t) => {
  const scene = await setStage(t)
  const { socket, letGo } = await openWatched(scene.service)
  socket.write(writeRequest({ key: scene.key, stream: true }))
  const { aborted } = await scene.upstream.request(0)
  await within(STALL_MS + SLACK_MS, aborted, 'the upstream is let go')
  await within(SLACK_MS, letGo, 'the service lets go')
  await assertLeft(scene)
  socket.destroy()
})

test('it is no use to go on sending', async (t) => {
  const scene = await setStage(t)
  const { socket } = await openWatched(scene.service)
  socket.write(writeRequest({ key: scene.key, stream: true }))
  const { aborted } = await scene.upstream.request(0)
  socket.write('GET /')
  const sending = setInterval(() => socket.write('x'), STALL_MS / 20)
  const startedMs = performance.now()
  await within(STALL_MS + SLACK_MS, aborted, 'the upstream is let go')
  assert.ok(performance.now() - startedMs > STALL_MS / 2, 'it is left for its stall')
  clearInterval(sending)
  await assertLeft(scene)
  socket.destroy()
})

test('a whole reply that nobody takes is not kept, either', async (t) => {
  const scene = await setStage(t)
  const { socket, letGo, isLetGo } = await openWatched(scene.service)
  socket.write(writeRequest({ key: scene.key }))
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.ended, 'completed')
  assert.equal(isLetGo(), false)
  await within(STALL_MS + SLACK_MS, letGo, 'the service lets go')
  socket.destroy()
})

for (const stream of [true, false]) {
  const what = stream ? 'stream' : 'whole reply'
  test(`a client that takes a little of its ${what} now and then is given its time`, async (t) => {
    const scene = await setStage(t)
    scene.upstream.play({ ...huge, deltas: huge.deltas?.slice(0, 1_280) ?? [] })
    const { socket } = await openWatched(scene.service)
    socket.write(writeRequest({ key: scene.key, stream }))
    let startedMs = Infinity
    let taken = 0
    let tail = ''
    for await (const piece of socket) {
      startedMs = Math.min(startedMs, performance.now())
      taken += (piece as Buffer).length
      tail = (tail + String(piece)).slice(-200)
      if (END.test(tail)) break
      if (taken < STEP_BYTES) continue
      taken -= STEP_BYTES
      // A quarter of the time that it has, each time.
      await wait(STALL_MS / 4)
    }
    assert.match(tail, END, 'it was broken off')
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs > 2 * STALL_MS, `it took ${tookMs} ms: nobody was slow`)
    assert.equal((await scene.receipts())[0]?.ended, 'completed')
  })
}

test('a client that has taken all there is may wait for more as long as it likes', async (t) => {
  const scene = await setStage(t)
  const goOn = Promise.withResolvers<void>()
  scene.upstream.play({
    content: 'first second',
    pauses: [{ at: 'after-delta-1', until: goOn.promise }],
  })
  const call = scene.open({ stream: true }, 'air')
  const response = await call.response
  await wait(2 * STALL_MS)
  goOn.resolve()
  assert.match(await response.text(), /data: \[DONE\]\n\n$/)
  await awaitValue(scene.receipts, ([receipt]) => receipt?.ended === 'completed')
})
