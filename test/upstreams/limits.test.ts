import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { LaneSettings } from '#models/index.ts'
import { startFakeUpstream, type Reply } from '../support/fake-upstream/index.ts'
import { awaitValue, describeUpstream, setScene, type Scene, type SceneOptions } from './scene.ts'

const sound: Reply = { content: 'well' }

/** Upstreams with settings of their own, in the order of the list, after the scene's own one. */
async function setSceneWith(t: TestContext, settings: readonly LaneSettings[]) {
  const upstreams = await Promise.all(settings.map(() => startFakeUpstream()))
  t.after(() => Promise.all(upstreams.map((one) => one.close())))
  for (const one of upstreams) one.play(sound)
  const first: SceneOptions['first'] = upstreams.map(({ url }, index) => ({
    ...describeUpstream(`limited-${index + 1}`, url),
    ...settings[index],
  }))
  return { scene: await setScene(t, { upstreamCount: 0, first }), upstreams }
}

async function assertUnavailable(scene: Scene): Promise<void> {
  for (const answer of [await scene.ask(), await scene.stream()]) {
    assert.equal(answer.status, 503)
    assert.equal(answer.json.error.code, 'model_unavailable')
    // The contract has it on 429 alone.
    assert.equal(answer.headers.get('retry-after'), null)
  }
}

test('requests are shared by the weights; the next priority gets none of them', async (t) => {
  const { scene, upstreams } = await setSceneWith(t, [
    { priority: 1, weight: 3 },
    { priority: 2 },
    { priority: 1, weight: 1 },
  ])
  for (let count = 0; count < 12; count += 1) assert.equal((await scene.ask()).status, 200)
  assert.deepEqual(
    upstreams.map(({ requests }) => requests.length),
    [9, 0, 3],
  )
})

test('an upstream that has all it may have at once is passed over until a reply ends or its client leaves', async (t) => {
  const { scene, upstreams } = await setSceneWith(t, [{ maxConcurrent: 2 }])
  const [upstream] = upstreams
  const answering = Promise.withResolvers<void>()
  upstream?.play({ ...sound, pauses: [{ at: 'before-head', until: answering.promise }] })
  const first = scene.open({ stream: true })
  const second = scene.ask()
  await upstream?.request(1)
  const before = await scene.account()
  await assertUnavailable(scene)
  assert.deepEqual(await scene.account(), before, 'a refusal holds and costs nothing')
  const [state] = (await scene.health()).upstreams
  assert.deepEqual([state?.under_way, state?.max_concurrent, state?.passed_over], [2, 2, 2])
  assert.equal((await scene.receipts()).length, 0)

  first.leave()
  await awaitValue(
    () => scene.health(),
    ({ upstreams: [now] }) => now?.under_way === 1,
  )
  const third = scene.ask()
  await upstream?.request(2)
  answering.resolve()
  assert.deepEqual([(await second).status, (await third).status], [200, 200])
  assert.equal((await scene.health()).upstreams[0]?.under_way, 0)
})

test('no more than so many requests go to an upstream in any minute; the spare has the rest', async (t) => {
  const { scene, upstreams } = await setSceneWith(t, [{ requestsPerMinute: 2 }, {}])
  const counts = (): number[] => upstreams.map(({ requests }) => requests.length)
  for (let count = 0; count < 3; count += 1) assert.equal((await scene.ask()).status, 200)
  assert.deepEqual(counts(), [2, 1])
  scene.service.clock.advance(60_000)
  await scene.ask()
  assert.deepEqual(counts(), [3, 1])
})

for (const status of [429, 503]) {
  test(`${status} with Retry-After: the upstream is left alone for as long as it asks`, async (t) => {
    const { scene, upstreams } = await setSceneWith(t, [{}])
    const [upstream] = upstreams
    upstream?.play({ fault: { kind: 'status', status, headers: { 'retry-after': '20' } } })
    assert.equal((await scene.ask()).status, 502)
    upstream?.play(sound)
    await assertUnavailable(scene)
    scene.service.clock.advance(19_999)
    await assertUnavailable(scene)
    const [state] = (await scene.health()).upstreams
    assert.deepEqual(
      [state?.rests_until, state?.circuit, state?.passed_over],
      [scene.service.clock.nowMs() + 1, 'closed', 4],
    )
    scene.service.clock.advance(1)
    assert.equal((await scene.ask()).status, 200)
    assert.equal(upstream?.requests.length, 2)
  })
}

test('a rest can be asked for by a date, and never lasts for more than five minutes', async (t) => {
  const { scene, upstreams } = await setSceneWith(t, [{}])
  const [upstream] = upstreams
  const rest = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    upstream?.play({ fault: { kind: 'status', status: 429, headers } })
    assert.equal((await scene.ask()).status, 502)
    const until = (await scene.health()).upstreams[0]?.rests_until
    const restMs = until ? until - scene.service.clock.nowMs() : 0
    scene.service.clock.advance(restMs)
    return restMs
  }
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT'
  assert.equal(await rest({ 'retry-after': 'Sat, 21 Nov 2026 12:01:30 GMT', date }), 90_000)
  assert.equal(await rest({ 'retry-after': '86400' }), 300_000)
  assert.equal(await rest({ 'retry-after': 'soon' }), 0)
})
