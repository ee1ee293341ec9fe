import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { Lane, type LaneTools } from './lane.ts'
import { createRoute, type Route } from './route.ts'
import type {
  Opening,
  ReplyListener,
  Upstream,
  UpstreamFailure,
  UpstreamRequest,
} from './upstreams/upstream.ts'

const request: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hello!' }], tools: [] },
  maxTokens: 10,
  temperature: undefined,
  streamed: true,
}
const circuit = { failures: 2, windowMs: 1_000, coolDownMs: 500 }
const listening: ReplyListener = { onEvent() {}, onEnd() {} }

interface Fake extends Upstream {
  readonly asked: UpstreamRequest[]
}

function createFake(name: string, answer: () => Promise<Opening> | Opening): Fake {
  const asked: UpstreamRequest[] = []
  return {
    name,
    kind: 'fake',
    asked,
    async open(wanted) {
      asked.push(wanted)
      return answer()
    },
    close: async () => {},
  }
}

function failing(kind: UpstreamFailure['kind']): () => Opening {
  return () => ({ kind: 'failed', failure: { kind, reason: 'a test' } })
}

/** A reply that is over at once, well or with a failure. */
function replying(failure?: UpstreamFailure): () => Opening {
  const reply = {
    read: (listener: ReplyListener) => listener.onEnd(failure),
    pause() {},
    resume() {},
  }
  return () => ({ kind: 'opened', reply })
}

function routeOf(upstreams: readonly Upstream[], clock = createManualClock()) {
  const warnings: object[] = []
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object) => void warnings.push(fields),
  }
  const tools: LaneTools = { brand: 'prime', circuit, clock, log }
  const inOrder = (upstream: Upstream, index: number) =>
    new Lane(upstream, tools, { priority: index + 1 })
  return { route: createRoute(upstreams.map(inOrder), clock), warnings, clock }
}

function open(route: Route, signal = new AbortController().signal) {
  return route.open(request, signal)
}

for (const kind of ['unreachable', 'timeout', 'overloaded', 'malformed'] as const) {
  test(`${kind}: the next upstream is tried, and the failure is noted and logged`, async () => {
    const upstreams = [createFake('a', failing(kind)), createFake('b', replying())]
    const { route, warnings, clock } = routeOf(upstreams)
    assert.equal((await open(route)).kind, 'opened')
    assert.deepEqual(upstreams[1]?.asked, [request])
    const [first, second] = route.health()
    assert.deepEqual(first?.lastFailure, { kind, atMs: clock.nowMs() })
    assert.deepEqual([first?.requests, first?.failures, first?.firstTokenMs], [1, 1, null])
    assert.equal(second?.failures, 0)
    assert.ok(second.firstTokenMs !== null)
    assert.deepEqual(warnings, [{ brand: 'prime', upstream: 'a', kind, reason: 'a test' }])
  })
}

for (const kind of ['rejected', 'context_overflow', 'cancelled'] as const) {
  test(`${kind}: no other upstream is tried, and nothing is held against this one`, async () => {
    const upstreams = [createFake('a', failing(kind)), createFake('b', replying())]
    const { route, warnings } = routeOf(upstreams)
    for (let count = 0; count < 5; count += 1) {
      const routing = await open(route)
      assert.equal(routing.kind === 'failed' && routing.failure.kind, kind)
    }
    assert.equal(upstreams[1]?.asked.length, 0)
    assert.equal(route.health()[0]?.circuit, 'closed')
    assert.equal(route.health()[0]?.failures, 0)
    assert.deepEqual(warnings, [])
  })
}

test('one that takes nothing now is passed over: no failure, no circuit, and no other answer', async () => {
  const busy = createFake('a', failing('unavailable'))
  const { route, warnings } = routeOf([busy, createFake('b', replying())])
  for (let count = 0; count < 5; count += 1) assert.equal((await open(route)).kind, 'opened')
  assert.equal(busy.asked.length, 5)
  assert.equal(route.health()[0]?.circuit, 'closed')
  assert.equal(route.health()[0]?.failures, 0)
  assert.deepEqual(warnings, [])
  assert.equal((await open(routeOf([busy]).route)).kind, 'unavailable')
  const failed = await open(routeOf([createFake('b', failing('timeout')), busy]).route)
  assert.equal(failed.kind === 'failed' && failed.failure.kind, 'timeout')
})

test('where all fail, the last failure is told', async () => {
  const upstreams = [createFake('a', failing('timeout')), createFake('b', failing('overloaded'))]
  const routing = await open(routeOf(upstreams).route)
  assert.equal(routing.kind === 'failed' && routing.failure.kind, 'overloaded')
})

test('an upstream with a bug of ours in it fails like any other', async () => {
  const buggy = createFake('a', () => Promise.reject(new TypeError('secret words')))
  const { route, warnings } = routeOf([buggy, createFake('b', replying())])
  assert.equal((await open(route)).kind, 'opened')
  assert.doesNotMatch(JSON.stringify(warnings), /secret words/, 'messages can quote content')
})

test('once the request is cancelled no other upstream is tried', async () => {
  const client = new AbortController()
  const first = createFake('a', () => {
    client.abort()
    return failing('unreachable')()
  })
  const second = createFake('b', replying())
  await open(routeOf([first, second]).route, client.signal)
  assert.equal(second.asked.length, 0)
})

test('a reply that breaks off counts against its upstream; one that ends well forgives', async () => {
  let ending: UpstreamFailure | undefined = { kind: 'malformed', reason: 'a test' }
  const upstream = createFake('a', () => replying(ending)())
  const { route } = routeOf([upstream])
  const read = async () => {
    const routing = await open(route)
    assert.ok(routing.kind === 'opened')
    routing.reply.read(listening)
  }
  await read()
  ending = undefined
  await read()
  ending = { kind: 'timeout', reason: 'a test' }
  await read()
  assert.equal(route.health()[0]?.circuit, 'closed')
  await read()
  assert.equal(route.health()[0]?.circuit, 'open')
  assert.equal(route.health()[0]?.failures, 3)
  assert.equal((await open(route)).kind, 'unavailable')
  assert.equal(upstream.asked.length, 4)
})

test('back-pressure reaches the reply itself', async () => {
  const calls: string[] = []
  class Reply {
    read() {}
    pause() {
      calls.push('pause')
    }
    resume() {
      calls.push('resume')
    }
  }
  const upstream = createFake('a', () => ({ kind: 'opened', reply: new Reply() }))
  const routing = await open(routeOf([upstream]).route)
  assert.ok(routing.kind === 'opened')
  routing.reply.pause()
  routing.reply.resume()
  assert.deepEqual(calls, ['pause', 'resume'])
})

test('while one request tries an upstream that has cooled, others pass it over', async () => {
  let answer: () => Promise<Opening> | Opening = failing('timeout')
  const first = createFake('a', () => answer())
  const second = createFake('b', replying())
  const { route, clock } = routeOf([first, second])
  await open(route)
  await open(route)
  clock.advance(500)
  assert.equal(route.health()[0]?.circuit, 'half_open')
  const probing = Promise.withResolvers<Opening>()
  answer = () => probing.promise
  const probe = open(route)
  await open(route)
  assert.equal(first.asked.length, 3)
  assert.equal(second.asked.length, 3)
  probing.resolve(replying()())
  await probe
  assert.equal(route.health()[0]?.circuit, 'closed')
})

test('a request that ends late says nothing of the probe under way', async () => {
  const slow = Promise.withResolvers<Opening>()
  const probing = Promise.withResolvers<Opening>()
  const answers = [
    () => slow.promise,
    failing('timeout'),
    failing('timeout'),
    () => probing.promise,
  ]
  const first = createFake('a', () => (answers.shift() ?? replying())())
  const { route, clock } = routeOf([first])
  const late = open(route)
  await open(route)
  await open(route)
  clock.advance(500)
  const probe = open(route)
  slow.resolve(failing('rejected')())
  await late
  assert.equal((await open(route)).kind, 'unavailable', 'still only one may try')
  probing.resolve(replying()())
  assert.equal((await probe).kind, 'opened')
})
