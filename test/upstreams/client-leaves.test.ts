import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from '#models/index.ts'
import type { Reply } from '../support/fake-upstream/index.ts'
import { openModels, greeting } from './models-door.ts'
import {
  awaitValue,
  describeUpstream,
  priceOfPrime,
  readerOf,
  readUntil,
  setScene,
  within,
  type Scene,
} from './scene.ts'

const never = new Promise<never>(() => {})
const words = 'one two three '

/** Gives three words and then waits until the client is gone. */
const waiting: Reply = { content: `${words}four`, pauses: [{ at: 'after-delta-3', until: never }] }

async function assertNothingHeld(scene: Scene): Promise<void> {
  assert.equal((await scene.account()).held_eur, '0.00')
}

test('a client that leaves before the first byte pays nothing, and the upstream is let go', async (t) => {
  const scene = await setScene(t)
  const before = await scene.account()
  for (const at of ['before-head', 'after-head'] as const) {
    for (const stream of [true, false]) {
      const seen = scene.upstream.requests.length
      scene.upstream.play({ content: 'late', pauses: [{ at, until: never }] })
      const call = scene.open({ stream })
      const record = await scene.upstream.request(seen)
      assert.notEqual((await scene.account()).held_eur, '0.00')
      call.leave()
      await within(1_000, record.aborted, 'the upstream was not cancelled')
      const [receipt] = await scene.awaitReceipts(seen + 1)
      assert.equal(receipt?.ended, 'client_left')
      assert.equal(receipt.finish_reason, null)
      assert.equal(receipt.first_token_ms, null)
      assert.equal(receipt.cost_eur, '0.00')
      await assertNothingHeld(scene)
    }
  }
  assert.equal((await scene.account()).balance_eur, before.balance_eur)
  const { upstreams } = await scene.health()
  assert.equal(upstreams[0]?.failures, 0, 'it is not the upstream that failed')
})

test('a client that leaves mid-stream pays only for what was generated', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(waiting)
  const call = scene.open({ stream: true })
  await readUntil(await readerOf(call), 'three')
  call.leave()
  const record = await scene.upstream.request(0)
  await within(1_000, record.aborted, 'the upstream was not cancelled')
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.ended, 'client_left')
  assert.equal(receipt.finish_reason, null)
  assert.equal(receipt.usage_source, 'counted')
  assert.equal(receipt.completion_tokens, countTokens(words))
  assert.ok(receipt.prompt_tokens > 0, 'the input was read, so it is paid')
  assert.equal(receipt.cost_eur, priceOfPrime(receipt.prompt_tokens, receipt.completion_tokens))
  await assertNothingHeld(scene)
})

test('a client that leaves is billed by the last usage where the upstream tells it', async (t) => {
  const scene = await setScene(t, { settings: { continuousUsage: true } })
  scene.upstream.play({
    ...waiting,
    dialect: 'vllm',
    usage: { promptTokens: 31, completionTokens: 4 },
  })
  const call = scene.open({ stream: true })
  await readUntil(await readerOf(call), 'three')
  call.leave()
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.usage_source, 'upstream')
  assert.equal(receipt.cost_eur, priceOfPrime(31, 3))
})

test('a client that waits for a whole reply and leaves pays for what was generated', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(waiting)
  const call = scene.open({ stream: false })
  const record = await scene.upstream.request(0)
  await awaitValue(
    () => record.deltasWritten,
    (count) => count === 3,
  )
  await awaitValue(
    async () => (await scene.health()).upstreams[0]?.first_token_ms,
    (firstTokenMs) => firstTokenMs !== null,
  )
  call.leave()
  await within(1_000, record.aborted, 'the upstream was not cancelled')
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.ended, 'client_left')
  assert.ok(receipt.completion_tokens >= 1)
  assert.equal(receipt.cost_eur, priceOfPrime(receipt.prompt_tokens, receipt.completion_tokens))
  await assertNothingHeld(scene)
})

test('a client that resets its connection while much is under way is settled like any other', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ ...waiting, reasoning: 'hm ' })
  const calls = Array.from({ length: 20 }, () => scene.open({ stream: true }))
  await Promise.all(calls.map(async (call) => readUntil(await readerOf(call), 'two')))
  for (const call of calls) call.leave()
  await Promise.all(calls.map(async (_, index) => (await scene.upstream.request(index)).aborted))
  const receipts = await scene.awaitReceipts(20)
  assert.ok(receipts.every(({ ended }) => ended === 'client_left'))
  await assertNothingHeld(scene)
  const { json } = await scene.verify()
  assert.deepEqual(json.discrepancies, [])
})

test('a caller who is gone before the upstream is asked costs nothing there and blames nobody', async (t) => {
  const scene = await setScene(t)
  const models = await openModels(t, [describeUpstream('fake', scene.upstream.url)])
  const gone = AbortSignal.abort()
  for (let count = 0; count < 6; count += 1) {
    const routing = await within(1_000, models.open('prime', greeting, gone), 'no answer')
    assert.deepEqual(routing.kind === 'failed' && routing.failure.kind, 'cancelled')
  }
  assert.equal(scene.upstream.requests.length, 0)
  const [upstream] = models.health()[1]?.upstreams ?? []
  assert.equal(upstream?.circuit, 'closed')
  assert.equal(upstream.failures, 0)
})
