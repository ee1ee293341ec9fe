import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { formatEuros, nano } from '#platform/money.ts'
import type { Account, ModelState, Receipt, Verification } from '#api/contract/index.ts'
import { findFreePort, startChildService, type ChildService } from '../support/child-service.ts'
import { startFakeUpstream, type FakeUpstream, type Reply } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { awaitValue } from '../upstreams/scene.ts'

const KEY = 'an-upstream-key-that-nobody-may-read'
const TOKENS = { promptTokens: 11, completionTokens: 3 }
const MESSAGES = [{ role: 'user', content: 'Hello!' }]

interface Running {
  readonly service: ChildService
  readonly ops: string
  readonly key: string
  readonly account: () => Promise<Account>
  readonly receipts: () => Promise<readonly Receipt[]>
  readonly prime: () => Promise<ModelState>
  /** Writes the file, sends the signal, and resolves with the log line that tells how it went. */
  reload(yaml: string): Promise<LogLine>
  ask(body?: object): Promise<Response>
}

type LogLine = Readonly<Record<string, unknown>>

async function startWith(t: TestContext, yaml: string): Promise<Running> {
  const dataDir = makeTemporaryDirectory(t)
  const file = join(dataDir, 'parley.yaml')
  writeFileSync(file, yaml)
  const opsPort = await findFreePort()
  const service = await startChildService({
    dataDir,
    env: { UPSTREAM_KEY: KEY, LOG_LEVEL: 'info', PARLEY_OPS_PORT: `${opsPort}` },
  })
  const { child, operate } = service
  t.after(() => child.kill())
  const { key, accountId } = await service.openAccount('one')
  let reloads = 0
  return {
    service,
    ops: `http://127.0.0.1:${opsPort}`,
    key,
    account: () => operate('GET', `/accounts/${accountId}`),
    receipts: async () =>
      (await operate<{ data: Receipt[] }>('GET', `/accounts/${accountId}/receipts?limit=200`)).data,
    async prime() {
      const { data } = await operate<{ data: ModelState[] }>('GET', '/models')
      const found = data.find(({ brand }) => brand === 'prime')
      assert.ok(found)
      return found
    },
    async reload(next) {
      writeFileSync(file, next)
      child.process.kill('SIGHUP')
      reloads += 1
      await child.said(new RegExp(`(?:configuration (?:not )?reloaded[^]*?){${reloads}}`))
      const lines = child.stdout.split('\n').filter((line) => line.includes('reloaded'))
      return JSON.parse(lines.at(-1) ?? '') as LogLine
    },
    ask: (body = {}) =>
      fetch(`${service.origin}/v1/chat/prime`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: MESSAGES, ...body }),
      }),
  }
}

async function startUpstream(t: TestContext, reply: Reply): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play({ usage: TOKENS, ...reply })
  return upstream
}

function writeYaml(upstream: FakeUpstream, name: string, maxOutputTokens: number): string {
  return `
models:
  prime:
    max_output_tokens: ${maxOutputTokens}
    upstreams:
      - { name: ${name}, kind: openai, url: "${upstream.url}", model: m, api_key: "\${UPSTREAM_KEY}" }
`
}

/** Three callers who ask again as soon as they are answered. */
function keepAsking(ask: () => Promise<Response>) {
  const answers: string[] = []
  const state = { isOver: false }
  const asking = [1, 2, 3].map(async () => {
    while (!state.isOver) answers.push(await (await ask()).text())
  })
  return {
    /** Resolves when so many more answers have come. */
    async answered(more: number): Promise<void> {
      const wanted = answers.length + more
      await awaitValue(
        () => answers.length,
        (length) => length >= wanted,
      )
    },
    async stop(): Promise<readonly string[]> {
      state.isOver = true
      await Promise.all(asking)
      return answers
    },
  }
}

/** What a call of these tests costs on prime. */
const COST = formatEuros(nano(TOKENS.promptTokens * 1_800 + TOKENS.completionTokens * 6_200))

test('under load nothing fails: what has begun ends where it began, what comes goes to the new upstream', async (t) => {
  const released = Promise.withResolvers<void>()
  const pauses = [{ at: 'after-delta-1', until: released.promise }] as const
  const old = await startUpstream(t, { content: 'from the old', pauses })
  const next = await startUpstream(t, { content: 'from the new' })
  const running = await startWith(t, writeYaml(old, 'old', 4_000))
  const { service, reload, ask } = running

  const begun = Array.from({ length: 8 }, (_, index) => ask({ stream: index % 2 === 0 }))
  await old.request(7)
  old.play({ usage: TOKENS, content: 'from the old' })
  const { held_eur: held } = await running.account()
  const load = keepAsking(ask)
  await load.answered(5)
  const line = await reload(writeYaml(next, 'new', 100))
  assert.deepEqual(line['brands'], [
    {
      brand: 'prime',
      added: ['new'],
      removed: ['old'],
      changed: [],
      limits: { contextWindow: 262_144, maxOutputTokens: 100 },
    },
  ])
  await load.answered(5)
  const answers = await load.stop()
  assert.match(answers[0] ?? '', /from the old/)
  assert.match(answers.at(-1) ?? '', /from the new/)

  const [state] = (await running.prime()).upstreams
  assert.equal(state?.name, 'new')
  assert.doesNotMatch(service.child.stdout, /upstream closed/, 'replies are still under way')
  assert.equal((await running.prime()).max_output_tokens, 100)
  assert.ok(Number((await running.account()).held_eur) >= Number(held), 'held as when they began')

  released.resolve()
  for (const answer of await Promise.all(begun)) {
    const text = await answer.text()
    assert.match(text.replaceAll(/[^a-z]+/g, ' '), /from .*the .*old/)
    assert.match(text, /"finish_reason":"stop"/)
  }
  await service.child.said(/"upstream":"old","msg":"upstream closed"/)
  const receipts = await running.receipts()
  assert.equal(receipts.length, begun.length + answers.length, 'each answer is one that was paid')
  for (const { ended, cost_eur: cost } of receipts) {
    assert.deepEqual({ ended, cost }, { ended: 'completed', cost: COST })
  }
  assert.equal((await running.account()).held_eur, '0.00')
  const books = await service.operate<Verification>('GET', '/ledger/verify')
  assert.deepEqual([books.ok, books.discrepancies], [true, []])
  assert.doesNotMatch(service.child.stdout, new RegExp(KEY))
})

test('each call is held by the limits of its admission, exactly', async (t) => {
  const released = Promise.withResolvers<void>()
  const upstream = await startUpstream(t, {
    content: 'one two three',
    pauses: [{ at: 'before-head', until: released.promise }],
  })
  const running = await startWith(t, writeYaml(upstream, 'same', 4_000))
  const heldNano = async (): Promise<number> =>
    Math.round(Number((await running.account()).held_eur) * 1e9)
  const first = running.ask()
  await upstream.request(0)
  const before = await heldNano()
  const line = await running.reload(writeYaml(upstream, 'same', 1_000))
  const limits = { contextWindow: 262_144, maxOutputTokens: 1_000 }
  assert.deepEqual(line['brands'], [
    { brand: 'prime', added: [], removed: [], changed: [], limits },
  ])
  assert.equal(await heldNano(), before)
  const second = running.ask()
  await upstream.request(1)
  // The same prompt, with 3 000 tokens of output fewer to be held for.
  assert.equal(await heldNano(), before + (before - 3_000 * 6_200))
  released.resolve()
  assert.deepEqual([(await first).status, (await second).status], [200, 200])
  const sent = upstream.requests.map(({ body }) => (body as { max_tokens?: number }).max_tokens)
  assert.deepEqual(sent, [4_000, 1_000])
  assert.equal(await heldNano(), 0)
  const costs = (await running.receipts()).map(({ cost_eur: cost }) => cost)
  assert.deepEqual(costs, [COST, COST])
  // The upstream is the same one: it was not replaced, so its figures go on.
  assert.equal((await running.prime()).upstreams[0]?.requests, 2)
})

test('a file with a mistake changes nothing, and the log says what is wrong', async (t) => {
  const upstream = await startUpstream(t, { content: 'from the old' })
  const running = await startWith(t, writeYaml(upstream, 'old', 4_000))
  const readModels = async (): Promise<string> =>
    JSON.stringify((await running.service.operate<object>('GET', '/models')) ?? {})
  const before = await readModels()
  const mistakes: Readonly<Record<string, RegExp>> = {
    'models: [': /parley\.yaml: /,
    'models: { prime: { upstreams: [ { kind: openai } ] } }': /upstreams\[0\]\.name: /,
    [`seller: { name: "\${file:/nowhere/at/all}", address: a }`]:
      /seller\.name: cannot read \/nowhere/,
    'service: { identity: "Be another.", nme: x }': /service\.nme: is unknown/,
  }
  for (const [yaml, problem] of Object.entries(mistakes)) {
    const line = await running.reload(yaml)
    assert.equal(line['level'], 50)
    assert.match(String(line['problems']), problem)
    assert.equal(await readModels(), before)
  }
  assert.match(await (await running.ask()).text(), /from the old/)
  const [sent] = upstream.requests
  assert.match(JSON.stringify(sent?.body), /a helpful assistant/)
})

test('the identity changes at once; what needs a restart is named; readiness and figures follow', async (t) => {
  const upstream = await startUpstream(t, { content: 'well' })
  const running = await startWith(t, writeYaml(upstream, 'one', 4_000))
  const rest = `
service: { name: other, identity: "Be brief." }
seller: { name: Example Lda, address: Lisboa }
`
  const line = await running.reload(`${rest}${writeYaml(upstream, 'two', 4_000)}`)
  assert.equal(line['identity'], 'changed')
  assert.deepEqual(line['needs_restart'], ['service.name', 'seller'])
  const answer = (await (await running.ask()).json()) as { model: string }
  assert.equal(answer.model, 'svc-prime-v1')
  assert.match(JSON.stringify(upstream.requests[0]?.body), /Be brief\./)
  const figures = await (await fetch(`${running.ops}/metrics`)).text()
  assert.match(figures, /parley_upstream_requests_total\{brand="prime",upstream="two"\} 1/)
  assert.doesNotMatch(figures, /upstream="one"/)
  assert.equal((await fetch(`${running.ops}/readyz`)).status, 200)
})

test('a key in a file of its own is read again', async (t) => {
  const upstream = await startUpstream(t, { content: 'well' })
  const file = join(makeTemporaryDirectory(t), 'key')
  writeFileSync(file, 'first-key\n')
  const yaml = writeYaml(upstream, 'one', 4_000).replace('UPSTREAM_KEY', `file:${file}`)
  const running = await startWith(t, yaml)
  await (await running.ask()).text()
  writeFileSync(file, 'second-key\n')
  const line = await running.reload(yaml)
  const changed = { brand: 'prime', added: [], removed: [], changed: ['one'] }
  assert.deepEqual(line['brands'], [changed])
  await (await running.ask()).text()
  const sent = upstream.requests.map(({ headers }) => headers['authorization'])
  assert.deepEqual(sent, ['Bearer first-key', 'Bearer second-key'])
  assert.doesNotMatch(running.service.child.stdout, /first-key|second-key/)
})

test('signals in a row end with what the file says last', async (t) => {
  const upstream = await startUpstream(t, { content: 'well' })
  const running = await startWith(t, writeYaml(upstream, 'one', 4_000))
  const { process } = running.service.child
  for (let count = 0; count < 20; count += 1) process.kill('SIGHUP')
  await running.reload(writeYaml(upstream, 'last', 4_000))
  await awaitValue(running.prime, ({ upstreams }) => upstreams[0]?.name === 'last')
  assert.equal((await running.ask()).status, 200)
})
