import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { refusingUrl, type Fault, type Reply } from '../support/fake-upstream/index.ts'
import type { Answer } from '../support/call.ts'
import { describeUpstream, dialects, neverOpens, setScene, type Scene } from './scene.ts'

const good: Reply = { content: 'from the second' }

/** What another upstream of the brand may do better at. */
const passing: Readonly<Record<string, Reply>> = {
  'reset before the head': fail({ kind: 'reset', at: 'before-head' }),
  'closed before the head': fail({ kind: 'cut', at: 'before-head' }),
  'reset after the head': fail({ kind: 'reset', at: 'after-head' }),
  'closed after the head': fail({ kind: 'cut', at: 'after-head' }),
  'too many requests': fail({ kind: 'status', status: 429 }),
  'an internal error': fail({ kind: 'status', status: 500 }),
  'a bad gateway': fail({ kind: 'status', status: 502, body: 'not even an object' }),
  unavailable: fail({ kind: 'status', status: 503 }),
  'an overloaded status of its own': fail({ kind: 'status', status: 529 }),
  'a page of HTML with a 200': fail({ kind: 'html' }),
  'a page of HTML with a 502': fail({ kind: 'html', status: 502 }),
  'JSON of another format': fail({ kind: 'not-the-format' }),
  'a list': fail({ kind: 'not-the-format', body: [] }),
  null: fail({ kind: 'not-the-format', body: null }),
  'choices that are none': fail({ kind: 'not-the-format', body: { choices: 'none' } }),
  'an empty body': fail({ kind: 'empty-body' }),
  'half a whole reply, or an error in its place': fail({ kind: 'error-event', at: 'after-head' }),
  'an event that is no chunk': fail({ kind: 'malformed-event', at: 'after-head' }),
  'a stream that ends at once': fail({ kind: 'end', at: 'after-head' }),
}

function fail(fault: Fault): Reply {
  return { content: 'from the first', fault }
}

/** Few tokens: an upstream is asked for a whole reply where the caller wants one. */
const few = { max_tokens: 100 }

test('where an upstream fails before its first byte, the next of the brand answers', async (t) => {
  const scene = await setScene(t, { upstreamCount: 2, circuit: neverOpens })
  const [first, second] = scene.upstreams
  second?.play(good)
  for (const [name, reply] of Object.entries(passing)) {
    await t.test(name, async () => {
      first?.play(reply)
      const asked = first?.requests.length ?? 0
      assertGood(await scene.ask(few))
      assertGood(await scene.stream(few))
      assert.equal(first?.requests.length, asked + 2)
    })
  }
  assert.equal(second?.requests.length, 2 * Object.keys(passing).length)
})

test('refused: the next upstream of the brand answers', async (t) => {
  const refusing = describeUpstream('nobody', await refusingUrl())
  const scene = await setScene(t, { first: [refusing] })
  scene.upstream.play(good)
  assertGood(await scene.ask(few))
  assertGood(await scene.stream(few))
  const { upstreams } = await scene.health()
  assert.deepEqual(
    upstreams.map(({ failures, last_failure: last }) => [failures, last?.kind]),
    [
      [2, 'unreachable'],
      [0, undefined],
    ],
  )
})

test('no connection in time: the next upstream of the brand answers', async (t) => {
  // A server that takes the connection but never shakes hands is not connected to.
  const url = await startSilentServer(t)
  const settings = { connectTimeoutMs: 50, timeoutMs: 30_000 }
  const scene = await setScene(t, { first: [describeUpstream('silent', url, settings)] })
  scene.upstream.play(good)
  assertGood(await scene.ask())
  assert.equal((await scene.health()).upstreams[0]?.last_failure?.kind, 'timeout')
})

test('no first byte in time: the next upstream of the brand answers', async (t) => {
  for (const at of ['before-head', 'after-head'] as const) {
    const scene = await setScene(t, { upstreamCount: 2, settings: { timeoutMs: 60 } })
    const [first, second] = scene.upstreams
    first?.play(fail({ kind: 'hang', at }))
    second?.play(good)
    assertGood(await scene.stream())
    assert.equal(await first?.requests[0]?.ended, 'client-left')
    assert.equal((await scene.health()).upstreams[0]?.last_failure?.kind, 'timeout')
  }
})

test('where all fail the caller gets a 502, pays nothing and has nothing held', async (t) => {
  const scene = await setScene(t, {
    upstreamCount: 2,
    circuit: neverOpens,
    settings: { timeoutMs: 2_000 },
  })
  const before = await scene.account()
  for (const [name, reply] of Object.entries(passing)) {
    for (const upstream of scene.upstreams) upstream.play(reply)
    assertFailed(await scene.ask(few), name)
    assertFailed(await scene.stream(few), name)
    scene.service.clock.advance(60_000)
  }
  const { balance_eur: balance, held_eur: held } = await scene.account()
  assert.deepEqual({ balance, held }, { balance: before.balance_eur, held: '0.00' })
  for (const receipt of await scene.receipts()) {
    assert.equal(receipt.ended, 'upstream_failed')
    assert.equal(receipt.finish_reason, 'error')
    assert.equal(receipt.cost_eur, '0.00')
    assert.equal(receipt.prompt_tokens + receipt.completion_tokens, 0)
  }
})

test('a refusal of the request itself is a 502, and no other upstream is asked', async (t) => {
  const scene = await setScene(t, { upstreamCount: 2, circuit: neverOpens })
  const [first, second] = scene.upstreams
  for (const status of [400, 401, 403, 404, 413, 422]) {
    first?.play(fail({ kind: 'status', status }))
    assertFailed(await scene.ask(few), String(status))
    assertFailed(await scene.stream(few), String(status))
  }
  assert.equal(second?.requests.length, 0)
  const { upstreams } = await scene.health()
  assert.equal(upstreams[0]?.failures, 0, 'a refusal says nothing against the upstream')
  assert.equal((await scene.account()).held_eur, '0.00')
})

test("a prompt too long for an upstream is the caller's 400, told in our words", async (t) => {
  const opensAtOnce = { failures: 1, windowMs: 30_000, coolDownMs: 10_000 }
  const scene = await setScene(t, { upstreamCount: 2, circuit: opensAtOnce })
  const before = await scene.account()
  for (const dialect of dialects) {
    await t.test(dialect, async () => {
      scene.upstream.play({ dialect, fault: { kind: 'context-overflow' } })
      for (const answer of [await scene.ask(few), await scene.stream(few)]) {
        assert.equal(answer.status, 400, answer.text)
        assert.equal(answer.json.error.code, 'invalid_request')
        assert.match(answer.json.error.message, /^messages: /)
        assert.doesNotMatch(answer.text, /8192|9000/, 'the upstream is not quoted')
      }
    })
  }
  await assertUncharged(scene, before.balance_eur)
  const { upstreams } = await scene.health()
  assert.equal(upstreams[0]?.circuit, 'closed')
  assert.equal(upstreams[0]?.failures, 0)
  assert.equal(scene.upstreams[1]?.requests.length, 0)
})

async function assertUncharged(scene: Scene, balanceEur: string): Promise<void> {
  const { balance_eur: balance, held_eur: held } = await scene.account()
  assert.deepEqual({ balance, held }, { balance: balanceEur, held: '0.00' })
}

function assertGood(answer: Answer): void {
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.text, /second/)
  assert.doesNotMatch(answer.text, /first/)
}

function assertFailed(answer: Answer, name: string): void {
  assert.equal(answer.status, 502, `${name}: ${answer.text}`)
  assert.equal(answer.json.error.code, 'upstream_error')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assert.doesNotMatch(answer.text, /fake upstream|127\.0\.0\.1/, 'the upstream is not quoted')
}

async function startSilentServer(t: TestContext): Promise<string> {
  const server = createServer()
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
