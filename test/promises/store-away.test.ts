import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import { createLog } from '#platform/log.ts'
import { formatEuros, nano } from '#platform/money.ts'
import { openSqliteStore, StoreGone, type SqliteStore } from '#platform/store/index.ts'
import { createMetrics, type Metrics } from '../../src/ops/index.ts'
import { createApp } from '../../src/app.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate, readEvents, type Answer } from '../support/call.ts'
import { startFakeUpstream, type FakeUpstream } from '../support/fake-upstream/index.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { describeUpstream, startService, type Service } from '../support/service.ts'
import { APP_OPTIONS, OPERATOR_TOKEN } from '../support/app-options.ts'
import { createMemoryMailer } from '../support/memory-mailer.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const SHORT_MS = 5
/** Longer than any of these tests may take. */
const LONG_MS = 60_000
/** What one reply costs: 10 tokens in and 3 out, at air's rates. */
const COST = 10 * 260 + 3 * 3_100
const DEPOSIT = '10.00'
/** The deposit and the 1.00 € that a new account is given. */
const FUNDS = 11_000_000_000

interface Away {
  /** Until it is back, commits fail at once, or never end. */
  leave(how: 'fails' | 'hangs'): void
  comeBack(): void
}

/** A store whose procedures, and so all charges, can be kept from it. */
function createFlakyStore(store: SqliteStore): {
  readonly flaky: SqliteStore
  readonly away: Away
} {
  let how: 'works' | 'fails' | 'hangs' = 'works'
  let back = Promise.withResolvers<void>()
  const run: SqliteStore['run'] = async (procedure, input) => {
    if (how === 'fails') throw new StoreGone('the store was taken away by the test')
    if (how === 'hangs') await back.promise
    return store.run(procedure, input)
  }
  const away: Away = {
    leave(next) {
      how = next
      back = Promise.withResolvers<void>()
    },
    comeBack() {
      how = 'works'
      back.resolve()
    },
  }
  return { flaky: { ...store, run }, away }
}

interface FlakyService {
  readonly service: Service
  readonly metrics: Metrics
  readonly away: Away
}

async function startFlakyService(
  dataDir: string,
  upstream: FakeUpstream,
  patienceMs: number,
): Promise<FlakyService> {
  const store = await openSqliteStore(dataDir)
  const { flaky, away } = createFlakyStore(store)
  const clock = createManualClock()
  const brand = { upstreams: [describeUpstream(upstream)] }
  const mailer = createMemoryMailer()
  const metrics = createMetrics()
  const app = await createApp({
    store: flaky,
    dataDir,
    clock,
    patienceMs,
    log: createLog('silent'),
    ...APP_OPTIONS,
    mailer,
    metrics,
    brands: { air: brand, prime: brand, nova: brand },
  })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await app.close(1_000)
    await store.close()
  }
  const service: Service = {
    origin,
    operatorToken: OPERATOR_TOKEN,
    app,
    store: flaky,
    clock,
    dataDir,
    logged: [],
    mailer,
    close: () => (closing ??= close()),
  }
  return { service, metrics, away }
}

interface World extends FlakyService {
  readonly upstream: FakeUpstream
  readonly accountId: string
  readonly key: string
  readonly dataDir: string
  readonly spillPath: string
  /** A JSON and a streamed reply, both in mid-reply; `goOn` lets the upstream end them. */
  beginReplies(): Promise<{
    readonly json: Promise<Answer>
    readonly streamed: Promise<Answer>
    readonly goOn: () => void
  }>
}

async function createWorld(t: TestContext, patienceMs: number): Promise<World> {
  const dataDir = makeTemporaryDirectory(t)
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const flaky = await startFlakyService(dataDir, upstream, patienceMs)
  const { service } = flaky
  t.after(() => service.close())
  const { accountId, key } = await openAccount(service, { depositEur: DEPOSIT })
  const usage = { promptTokens: 10, completionTokens: 3 }
  upstream.play({ content: 'one two three', usage })
  async function beginReplies() {
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    upstream.play({
      content: 'one two three',
      usage,
      pauses: [{ at: 'after-delta-1', until: promise }],
    })
    const seen = upstream.requests.length
    const streamed = chat(service, key, 'air', { ...hello, stream: true, max_tokens: 20 })
    const json = chat(service, key, 'air', { ...hello, max_tokens: 20 })
    // Whoever does not look at a reply before it is refused must not be told that nobody will.
    void Promise.allSettled([streamed, json])
    await upstream.request(seen + 1)
    upstream.play({ content: 'one two three', usage })
    return { json, streamed, goOn }
  }
  const spillPath = join(dataDir, 'spill.jsonl')
  return { ...flaky, upstream, accountId, key, dataDir, spillPath, beginReplies }
}

async function receiptIds(service: Service, accountId: string): Promise<string[]> {
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts?limit=100`)
  return Array.from(json.data, (receipt) => receipt.request_id).toSorted()
}

function requestIds(...answers: readonly Answer[]): string[] {
  return answers.map(({ headers }) => String(headers.get('x-request-id'))).toSorted()
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startMs = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - startMs < 5_000, `it never became true: ${String(holds)}`)
    await nextTurn()
  }
}

/** Waits until there are so many receipts and nothing is held, of which no reply tells. */
function untilBooked(service: Service, accountId: string, count: number): Promise<void> {
  return until(async () => {
    if ((await receiptIds(service, accountId)).length < count) return false
    const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
    return json.held_eur === '0.00'
  })
}

async function assertBooks(service: Service, accountId: string, replies: number): Promise<void> {
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.equal(json.balance_eur, formatEuros(nano(FUNDS - replies * COST)))
  assert.equal(json.held_eur, '0.00')
  const { json: verification } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual(verification.discrepancies, [])
}

function assertWhole(json: Answer, streamed: Answer): void {
  assert.equal(json.status, 200)
  assert.equal(json.json.choices[0].message.content, 'one two three')
  const events = readEvents(streamed.text)
  assert.equal(events.at(-1).choices[0].finish_reason, 'stop')
}

async function readFigure(metric: Metrics['waiting' | 'spilled']): Promise<number | undefined> {
  return (await metric.get()).values[0]?.value
}

function spilledIds(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line) => String(JSON.parse(line).requestId)).toSorted()
}

for (const how of ['fails', 'hangs'] as const) {
  test(`a store that ${how} under two replies: they end whole, spilled, their money held until booked`, async (t) => {
    const world = await createWorld(t, SHORT_MS)
    const { service, metrics, away, accountId, spillPath, beginReplies } = world
    const { json, streamed, goOn } = await beginReplies()
    away.leave(how)
    goOn()
    const answers = await Promise.all([json, streamed])
    assertWhole(...answers)
    assert.deepEqual(spilledIds(spillPath), requestIds(...answers))
    assert.equal(await readFigure(metrics.waiting), 2)
    const { json: account } = await operate(service, 'GET', `/accounts/${accountId}`)
    assert.equal(account.balance_eur, formatEuros(nano(FUNDS)))
    assert.ok(Number(account.held_eur) * 1e9 >= 2 * COST, account.held_eur)
    away.comeBack()
    await untilBooked(service, accountId, 2)
    assert.deepEqual(await receiptIds(service, accountId), requestIds(...answers))
    await assertBooks(service, accountId, 2)
    assert.equal(await readFigure(metrics.waiting), 0)
    assert.equal(await readFigure(metrics.spilled), 2)
  })

  test(`after a store that ${how} has come back, requests are answered and booked again`, async (t) => {
    const { service, away, accountId, key, beginReplies } = await createWorld(t, SHORT_MS)
    const { json, streamed, goOn } = await beginReplies()
    away.leave(how)
    goOn()
    await Promise.all([json, streamed])
    away.comeBack()
    await untilBooked(service, accountId, 2)
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
    await untilBooked(service, accountId, 3)
    assert.equal((await receiptIds(service, accountId)).length, 3)
    await assertBooks(service, accountId, 3)
  })
}

test('while the store is away new requests get 503 at once, and reach no upstream', async (t) => {
  const { service, away, upstream, key, beginReplies } = await createWorld(t, LONG_MS)
  const { json, streamed, goOn } = await beginReplies()
  away.leave('fails')
  goOn()
  await until(() => !service.app.ledger.available())
  for (const body of [hello, { ...hello, stream: true }, {}]) {
    const answer = await chat(service, key, 'air', body)
    assertRefused(answer, 'model_unavailable')
    assert.match(String(answer.headers.get('x-request-id')), /^req_/)
  }
  assert.equal(upstream.requests.length, 2)
  away.comeBack()
  assertWhole(await json, await streamed)
})

test('replies wait for a store that is away for less than the patience, and end booked', async (t) => {
  const world = await createWorld(t, LONG_MS)
  const { service, away, accountId, spillPath, beginReplies } = world
  const { json, streamed, goOn } = await beginReplies()
  const ended: string[] = []
  void json.then(() => ended.push('json'))
  void streamed.then(() => ended.push('streamed'))
  away.leave('fails')
  goOn()
  await until(() => !service.app.ledger.available())
  // An answer that goes the whole way meanwhile: those before it have had the time to come.
  await operate(service, 'GET', `/accounts/${accountId}`)
  assert.deepEqual(ended, [])
  away.comeBack()
  assertWhole(await json, await streamed)
  assert.equal(existsSync(spillPath), false)
  assert.deepEqual(await receiptIds(service, accountId), requestIds(await json, await streamed))
  await assertBooks(service, accountId, 2)
})

test('stopped while the store is away: the next start books what was spilled, once', async (t) => {
  const world = await createWorld(t, SHORT_MS)
  const { service, away, upstream, accountId, dataDir, spillPath, beginReplies } = world
  const { json, streamed, goOn } = await beginReplies()
  away.leave('fails')
  goOn()
  const ids = requestIds(...(await Promise.all([json, streamed])))
  await service.close()
  assert.deepEqual(spilledIds(spillPath), ids)
  for (let start = 0; start < 2; start += 1) {
    const again = await startService({ dataDir, upstreams: [describeUpstream(upstream)] })
    assert.deepEqual(await receiptIds(again, accountId), ids)
    await assertBooks(again, accountId, 2)
    assert.equal(existsSync(spillPath), false)
    await again.close()
  }
})

test('where neither the store nor the file takes a charge, no reply ends whole and nobody pays', async (t) => {
  const world = await createWorld(t, SHORT_MS)
  const { service, away, accountId, spillPath, beginReplies } = world
  const { json, streamed, goOn } = await beginReplies()
  mkdirSync(spillPath)
  away.leave('fails')
  goOn()
  assertRefused(await json, 'model_unavailable')
  await assert.rejects(streamed, TypeError)
  assert.deepEqual(await receiptIds(service, accountId), [])
  await assertBooks(service, accountId, 0)
  away.comeBack()
  rmdirSync(spillPath)
})

test('a service that could keep a charge nowhere opens again when its store is back', async (t) => {
  const world = await createWorld(t, SHORT_MS)
  const { service, away, accountId, key, spillPath, beginReplies } = world
  const { json, streamed, goOn } = await beginReplies()
  mkdirSync(spillPath)
  away.leave('fails')
  goOn()
  await Promise.allSettled([json, streamed])
  rmdirSync(spillPath)
  away.comeBack()
  await until(() => service.app.ledger.available())
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  await untilBooked(service, accountId, 1)
  await assertBooks(service, accountId, 1)
})
