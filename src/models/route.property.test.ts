import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createManualClock } from '../../test/support/manual-clock.ts'
import type { LaneSettings } from './lane-settings.ts'
import { Lane } from './lane.ts'
import { createRoute, type Routing } from './route.ts'
import type { Opening, ReplyListener, Upstream, UpstreamRequest } from './upstreams/upstream.ts'

const request: UpstreamRequest = {
  prompt: { messages: [{ role: 'user', content: 'Hello!' }], tools: [] },
  maxTokens: 10,
  temperature: undefined,
  streamed: true,
}
const circuit = { failures: 1_000, windowMs: 1_000, coolDownMs: 500 }
const log = { debug() {}, info() {}, warn() {}, error() {} }

/** Counts what is under way at it, by itself: the route's own count is what is tested. */
class Counted implements Upstream {
  readonly kind = 'fake'
  readonly name: string
  readonly sentAtMs: number[] = []
  underWay = 0
  mostUnderWay = 0
  closed = false
  readonly #now: () => number

  constructor(name: string, now: () => number) {
    this.name = name
    this.#now = now
  }

  async open(_request: UpstreamRequest, signal: AbortSignal): Promise<Opening> {
    assert.equal(this.closed, false, 'asked after it was closed')
    this.sentAtMs.push(this.#now())
    this.underWay += 1
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay)
    const leave = once(() => (this.underWay -= 1))
    signal.addEventListener('abort', leave, { once: true })
    await nextTurn()
    const read = (listener: ReplyListener): void => {
      leave()
      if (!signal.aborted) listener.onEnd(undefined)
    }
    return { kind: 'opened', reply: { read, pause() {}, resume() {} } }
  }

  async close(): Promise<void> {
    assert.equal(this.underWay, 0, 'closed while a request was under way')
    this.closed = true
  }
}

function once(action: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) action()
    isDone = true
  }
}

function build(settings: readonly LaneSettings[]) {
  const clock = createManualClock()
  const upstreams = settings.map((_, index) => new Counted(`${index}`, () => clock.nowMs()))
  const tools = { brand: 'prime', circuit, clock, log } as const
  const lanes = upstreams.map((upstream, index) => new Lane(upstream, tools, settings[index]))
  return { clock, upstreams, lanes, route: createRoute(lanes, clock) }
}

function finish(routing: Routing): void {
  if (routing.kind === 'opened') routing.reply.read({ onEvent() {}, onEnd() {} })
}

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 })

test('of any run of requests each upstream gets its share, and none waits longer than all weights', async () => {
  await fc.assert(
    fc.asyncProperty(weights, fc.integer({ min: 1, max: 120 }), async (given, count) => {
      const { route, upstreams } = build(given.map((weight) => ({ priority: 1, weight })))
      const all = given.reduce((sum, weight) => sum + weight, 0)
      const lastSeen = given.map(() => -1)
      for (let sent = 0; sent < count; sent += 1) {
        const before = upstreams.map(({ sentAtMs }) => sentAtMs.length)
        // Nothing is awaited in between: the turn is taken when the request comes.
        void route.open(request, new AbortController().signal)
        const chosen = upstreams.findIndex((one, index) => one.sentAtMs.length !== before[index])
        assert.ok(sent - (lastSeen[chosen] ?? 0) <= all + given.length)
        lastSeen[chosen] = sent
        for (const [index, upstream] of upstreams.entries()) {
          const share = ((sent + 1) * (given[index] ?? 0)) / all
          assert.ok(Math.abs(upstream.sentAtMs.length - share) <= given.length)
        }
      }
    }),
    { numRuns: 60 },
  )
})

const setting = fc.record({
  priority: fc.integer({ min: 1, max: 3 }),
  weight: fc.integer({ min: 1, max: 5 }),
  maxConcurrent: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  requestsPerMinute: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
})
const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ kind: 'ask' } as const) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat({ max: 70_000 }) }),
  },
)

test('no limit is ever passed, whatever comes, ends and leaves; a request is refused only where all are at theirs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(setting, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 60 }),
      async (settings, steps) => {
        const { route, lanes, upstreams, clock } = build(settings as LaneSettings[])
        const live: { routing: Routing; client: AbortController }[] = []
        for (const one of steps) {
          switch (one.kind) {
            case 'ask': {
              const free = lanes.filter((lane) => lane.blocker(clock.nowMs()) === undefined)
              const client = new AbortController()
              const routing = await route.open(request, client.signal)
              assert.equal(routing.kind, free.length > 0 ? 'opened' : 'unavailable')
              if (routing.kind === 'opened') live.push({ routing, client })
              break
            }
            case 'end':
            case 'leave': {
              const [call] = live.splice(one.which % Math.max(1, live.length), 1)
              if (call && one.kind === 'end') finish(call.routing)
              call?.client.abort()
              break
            }
            case 'wait':
              clock.advance(one.ms)
          }
          for (const [index, { underWay }] of route.health().entries()) {
            assert.equal(underWay, upstreams[index]?.underWay)
          }
        }
        for (const [index, { mostUnderWay, sentAtMs }] of upstreams.entries()) {
          const { maxConcurrent = Infinity, requestsPerMinute = Infinity } = settings[index] ?? {}
          assert.ok(mostUnderWay <= maxConcurrent)
          for (const atMs of sentAtMs) {
            const within = sentAtMs.filter((other) => other <= atMs && other > atMs - 60_000)
            assert.ok(within.length <= requestsPerMinute)
          }
        }
        for (const { client } of live) client.abort()
        assert.ok(route.health().every(({ underWay }) => underWay === 0))
      },
    ),
    { numRuns: 150 },
  )
})

test('requests that come at the same moment share the places: the rest goes to the next priority', async () => {
  const { route, upstreams } = build([
    { priority: 1, maxConcurrent: 2 },
    { priority: 1, maxConcurrent: 1 },
    { priority: 2, requestsPerMinute: 4 },
  ])
  const clients = Array.from({ length: 10 }, () => new AbortController())
  const routings = await Promise.all(clients.map(({ signal }) => route.open(request, signal)))
  assert.deepEqual(
    upstreams.map(({ sentAtMs }) => sentAtMs.length),
    [2, 1, 4],
  )
  assert.equal(routings.filter(({ kind }) => kind === 'unavailable').length, 3)
  assert.deepEqual(
    route.health().map(({ passedOver }) => passedOver),
    [
      { concurrency: 7, rate: 0, rest: 0 },
      // Its one place was taken by the second request, before the other's were.
      { concurrency: 8, rate: 0, rest: 0 },
      { concurrency: 0, rate: 3, rest: 0 },
    ],
  )
})

test('a retired upstream is closed when its last request has ended, and not before', async () => {
  const { lanes, route, upstreams } = build([{ priority: 1 }])
  const client = new AbortController()
  const [lane, upstream] = [lanes[0], upstreams[0]]
  assert.ok(lane && upstream)
  const ended = await route.open(request, new AbortController().signal)
  await route.open(request, client.signal)
  route.use([])
  const retired = lane.retire()
  finish(ended)
  await nextTurn()
  assert.equal(upstream.closed, false)
  client.abort()
  await retired
  assert.equal(upstream.closed, true)
})

test('a limit that is changed counts what was sent before', async () => {
  const { lanes, route, clock } = build([{ requestsPerMinute: 3 }])
  const ask = async () => (await route.open(request, new AbortController().signal)).kind
  await ask()
  clock.advance(30_000)
  await ask()
  lanes[0]?.configure({ requestsPerMinute: 2 })
  assert.equal(await ask(), 'unavailable')
  clock.advance(30_000)
  assert.equal(await ask(), 'opened')
  lanes[0]?.configure({ requestsPerMinute: 5 })
  for (const expected of ['opened', 'opened', 'opened', 'unavailable']) {
    assert.equal(await ask(), expected)
  }
})
