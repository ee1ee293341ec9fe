import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../support/fake-upstream/index.ts'
import { setScene, type Scene } from './scene.ts'

const broken: Reply = { fault: { kind: 'status', status: 500 } }
const sound: Reply = { content: 'well again' }

async function circuitOf(scene: Scene, index = 0): Promise<string | undefined> {
  return (await scene.health()).upstreams[index]?.circuit
}

async function statusOf(scene: Scene): Promise<number> {
  return (await scene.ask()).status
}

async function fail(scene: Scene, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) assert.equal(await statusOf(scene), 502)
}

test('five failures in a row open the circuit: 503 at once, and the upstream is left alone', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(broken)
  await fail(scene, 4)
  assert.equal(await circuitOf(scene), 'closed')
  await fail(scene, 1)
  assert.equal(await circuitOf(scene), 'open')
  const before = await scene.account()
  for (const answer of [await scene.ask(), await scene.stream()]) {
    assert.equal(answer.status, 503)
    assert.equal(answer.json.error.code, 'model_unavailable')
    assert.notEqual(answer.headers.get('x-request-id'), null)
    assert.notEqual(answer.headers.get('x-ratelimit-remaining'), null)
  }
  assert.equal(scene.upstream.requests.length, 5)
  assert.equal((await scene.receipts()).length, 5, 'nothing was tried, so there is no receipt')
  const { balance_eur: balance, held_eur: held } = await scene.account()
  assert.deepEqual({ balance, held }, { balance: before.balance_eur, held: '0.00' })
})

test('a success between them, or time, keeps failures from opening the circuit', async (t) => {
  const scene = await setScene(t)
  for (let round = 0; round < 3; round += 1) {
    scene.upstream.play(broken)
    await fail(scene, 4)
    scene.upstream.play(sound)
    assert.equal(await statusOf(scene), 200)
  }
  assert.equal(await circuitOf(scene), 'closed')
  scene.upstream.play(broken)
  for (let count = 0; count < 12; count += 1) {
    await fail(scene, 1)
    scene.service.clock.advance(7_501)
  }
  assert.equal(await circuitOf(scene), 'closed')
})

test('a reply that breaks off counts as a failure', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ content: 'one two', fault: { kind: 'cut', at: 'after-delta-1' } })
  for (let count = 0; count < 5; count += 1) await scene.stream()
  assert.equal(await circuitOf(scene), 'open')
})

test('after its cool-down one request tries it: a success closes it, a failure keeps it open', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(broken)
  await fail(scene, 5)
  scene.service.clock.advance(9_999)
  assert.equal(await statusOf(scene), 503)
  scene.service.clock.advance(1)
  assert.equal(await circuitOf(scene), 'half_open')
  await fail(scene, 1)
  assert.equal(await circuitOf(scene), 'open')
  assert.equal(await statusOf(scene), 503)
  scene.service.clock.advance(10_000)
  scene.upstream.play(sound)
  assert.equal(await statusOf(scene), 200)
  assert.equal(await circuitOf(scene), 'closed')
  assert.equal(await statusOf(scene), 200)
})

test('while one request tries it, others are not sent there', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(broken)
  await fail(scene, 5)
  scene.service.clock.advance(10_000)
  const answering = Promise.withResolvers<void>()
  scene.upstream.play({ ...sound, pauses: [{ at: 'before-head', until: answering.promise }] })
  const probe = scene.ask()
  await scene.upstream.request(5)
  assert.deepEqual(await Promise.all([statusOf(scene), statusOf(scene)]), [503, 503])
  answering.resolve()
  assert.equal((await probe).status, 200)
  assert.equal(scene.upstream.requests.length, 6)
})

test('a probe whose client leaves proves nothing: the next request tries again', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(broken)
  await fail(scene, 5)
  scene.service.clock.advance(10_000)
  const never = new Promise<never>(() => {})
  scene.upstream.play({ ...sound, pauses: [{ at: 'before-head', until: never }] })
  const call = scene.open()
  const record = await scene.upstream.request(5)
  call.leave()
  await record.aborted
  await scene.awaitReceipts(6)
  scene.upstream.play(sound)
  assert.equal(await statusOf(scene), 200)
  assert.equal(await circuitOf(scene), 'closed')
})

test('upstreams are tried in their order, and an open one is passed over', async (t) => {
  const scene = await setScene(t, { upstreamCount: 3 })
  const [first, second, third] = scene.upstreams
  const counts = () => scene.upstreams.map(({ requests }) => requests.length)
  assert.equal(await statusOf(scene), 200)
  assert.deepEqual(counts(), [1, 0, 0])
  first?.play(broken)
  for (let count = 0; count < 5; count += 1) assert.equal(await statusOf(scene), 200)
  assert.deepEqual(counts(), [6, 5, 0])
  assert.equal(await circuitOf(scene), 'open')
  second?.play(broken)
  assert.equal(await statusOf(scene), 200)
  assert.deepEqual(counts(), [6, 6, 1])
  third?.play(broken)
  await fail(scene, 1)
  scene.service.clock.advance(10_000)
  first?.play(sound)
  assert.equal((await scene.ask()).json.choices[0].message.content, 'well again')
  assert.deepEqual(counts(), [7, 7, 2])
})

test('the circuits of brands are apart, and the operator sees each', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(broken)
  await fail(scene, 5)
  const { upstreams, id, enabled } = await scene.health()
  assert.deepEqual({ id, enabled }, { id: 'svc-prime-v1', enabled: true })
  assert.deepEqual(upstreams, [
    {
      name: 'fake-1',
      kind: 'openai',
      priority: 1,
      weight: 1,
      max_concurrent: null,
      requests_per_minute: null,
      circuit: 'open',
      rests_until: null,
      under_way: 0,
      requests: 5,
      failures: 5,
      passed_over: 0,
      first_token_ms: null,
      last_failure: { kind: 'overloaded', at: scene.service.clock.nowMs() },
    },
  ])
  scene.upstream.play(sound)
  assert.equal((await scene.ask({}, 'nova')).status, 200)
  const nova = (await scene.health('nova')).upstreams[0]
  assert.equal(nova?.circuit, 'closed')
  assert.ok(nova.first_token_ms !== null)
})
