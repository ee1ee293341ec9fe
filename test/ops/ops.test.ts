import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { CHILD_OPERATOR_TOKEN, findFreePort, startChildService } from '../support/child-service.ts'
import { startChild } from '../support/child.ts'
import { startFakeUpstream, type Script } from '../support/fake-upstream/index.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'
import { readMetrics, sum } from './read-metrics.ts'

const SECRET_WORDS = 'the-cat-sat-on-the-mat'

async function startWatched(t: TestContext, script: Script) {
  const upstream = await startFakeUpstream()
  upstream.play(script)
  t.after(() => upstream.close())
  const opsPort = await findFreePort()
  const service = await startChildService({
    dataDir: makeTemporaryDirectory(t),
    upstreamUrl: upstream.url,
    env: { PARLEY_OPS_PORT: `${opsPort}` },
  })
  t.after(() => service.child.kill())
  const account = await service.openAccount('ada')
  const chat = (brand: string, body: object = {}, key = account.key): Promise<Response> =>
    fetch(`${service.origin}/v1/chat/${brand}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: SECRET_WORDS }], ...body }),
    })
  return { upstream, service, account, chat, ops: `http://127.0.0.1:${opsPort}` }
}

interface Receipts {
  readonly data: readonly {
    readonly cost_eur: string
    readonly prompt_tokens: number
    readonly completion_tokens: number
  }[]
}

test('money and tokens that are measured are those of the books', async (t) => {
  const { service, account, chat, ops } = await startWatched(t, { content: 'one two three' })
  for (const brand of ['air', 'air', 'prime', 'nova']) {
    await (await chat(brand, { stream: brand !== 'air' })).text()
  }
  const { data } = await service.operate<Receipts>('GET', `/accounts/${account.accountId}/receipts`)
  const figures = await readMetrics(ops)
  const total = (read: (one: Receipts['data'][number]) => number): number =>
    data.reduce((sofar, one) => sofar + read(one), 0)
  const nano = total((one) => Math.round(Number(one.cost_eur) * 1e9))
  assert.ok(nano > 0)
  assert.equal(sum(figures, 'parley_charged_nanoeuros_total'), nano)
  assert.equal(sum(figures, 'parley_written_off_nanoeuros_total'), 0)
  assert.equal(sum(figures, 'parley_held_nanoeuros'), 0)
  const tokensOf = (kind: string): number =>
    sum(figures, 'gen_ai_client_token_usage_sum', { gen_ai_token_type: kind })
  const input = total((one) => one.prompt_tokens)
  const output = total((one) => one.completion_tokens)
  assert.deepEqual([tokensOf('input'), tokensOf('output')], [input, output])
  assert.equal(sum(figures, 'parley_replies_total', { ended: 'completed' }), 4)
  assert.equal(sum(figures, 'parley_replies_total', { brand: 'air' }), 2)
  assert.equal(sum(figures, 'gen_ai_server_request_duration_seconds_count'), 4)
  assert.equal(sum(figures, 'gen_ai_server_time_to_first_token_seconds_count'), 4)
  assert.equal(sum(figures, 'parley_charge_commit_seconds_count'), 4)
  assert.equal(sum(figures, 'parley_charge_batch_size_sum'), 4)
})

test('answers are counted by their codes, and no figure names anybody', async (t) => {
  const { service, account, chat, ops } = await startWatched(t, { content: 'one two three' })
  assert.equal((await chat('air')).status, 200)
  assert.equal((await chat('air', {}, 'svc_live_wrong')).status, 401)
  assert.equal((await chat('air', { messages: [] })).status, 400)
  await service.operate('PATCH', `/accounts/${account.accountId}`, { daily_ceiling_eur: '0.00' })
  assert.equal((await chat('air')).status, 429)

  const figures = await readMetrics(ops)
  const answered = (labels: Readonly<Record<string, string>>): number =>
    sum(figures, 'parley_requests_total', labels)
  assert.equal(answered({ surface: 'v1', brand: 'air' }), 4)
  assert.equal(answered({ surface: 'v1', status: '200' }), 1)
  assert.equal(answered({ code: 'invalid_api_key' }), 1)
  assert.equal(answered({ code: 'invalid_request' }), 1)
  assert.ok(answered({ surface: 'operator', status: '201' }) > 1)
  assert.equal(sum(figures, 'parley_refusals_total', { limit: 'ceiling' }), 1)
  assert.equal(sum(figures, 'parley_upstream_requests_total', { brand: 'air' }), 1)
  assert.equal(sum(figures, 'parley_upstream_circuit', { brand: 'air', state: 'closed' }), 1)
  assert.equal(sum(figures, 'parley_store_available'), 1)
  assert.equal(sum(figures, 'parley_brand_enabled'), 3)
  assert.ok(sum(figures, 'nodejs_eventloop_lag_p99_seconds') >= 0)

  const told = [...figures.keys()].join('\n')
  const secrets = [account.accountId, account.key, 'ada', SECRET_WORDS, CHILD_OPERATOR_TOKEN]
  for (const secret of secrets) assert.ok(!told.includes(secret), secret)
})

test('what a live reply holds is told, and a service that stops is alive and not ready', async (t) => {
  const more = Promise.withResolvers<void>()
  t.after(() => more.resolve())
  const { service, account, chat, ops } = await startWatched(t, {
    content: 'one two three',
    pauses: [{ at: 'after-delta-1', until: more.promise }],
  })
  const reply = await chat('prime', { stream: true, max_tokens: 100 })
  assert.equal(reply.status, 200)
  const { held_eur: held } = await service.operate<{ held_eur: string }>(
    'GET',
    `/accounts/${account.accountId}`,
  )
  const figures = await readMetrics(ops)
  assert.ok(Number(held) > 0)
  assert.equal(sum(figures, 'parley_held_nanoeuros'), Math.round(Number(held) * 1e9))
  assert.equal(sum(figures, 'parley_exchanges_under_way'), 1)

  const before = await fetch(`${ops}/readyz`)
  assert.equal(before.status, 200)
  assert.deepEqual(await before.json(), {
    ready: true,
    draining: false,
    store: 'ok',
    upstreams: 'ok',
  })
  service.child.process.kill('SIGTERM')
  let after = await fetch(`${ops}/readyz`)
  while (after.status === 200) {
    await after.text()
    after = await fetch(`${ops}/readyz`)
  }
  assert.equal(after.status, 503)
  assert.deepEqual(await after.json(), {
    ready: false,
    draining: true,
    store: 'ok',
    upstreams: 'ok',
  })
  const alive = await fetch(`${ops}/healthz`)
  assert.equal(`${alive.status} ${await alive.text()}`, '200 alive\n')
  more.resolve()
  assert.match(await reply.text(), /\[DONE\]/)
  assert.equal(await service.child.ended, 0)
})

test('a service whose upstreams all fail is not ready', async (t) => {
  const fault = { kind: 'status', status: 500 } as const
  const { chat, ops } = await startWatched(t, { fault })
  for (const brand of ['air', 'prime', 'nova']) {
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal((await chat(brand)).status, 502)
    }
  }
  const reply = await fetch(`${ops}/readyz`)
  assert.equal(reply.status, 503)
  assert.deepEqual(await reply.json(), {
    ready: false,
    draining: false,
    store: 'ok',
    upstreams: 'none usable',
  })
  const figures = await readMetrics(ops)
  assert.equal(sum(figures, 'parley_upstream_circuit', { state: 'open' }), 3)
  assert.equal(sum(figures, 'parley_upstream_failures_total'), 15)
})

test('what an earlier run has spilled and no start can book is told', async (t) => {
  const [dataDir, opsPort] = [makeTemporaryDirectory(t), await findFreePort()]
  writeFileSync(join(dataDir, 'spill.jsonl'), '{"no":"charge"}\n')
  const env = { PARLEY_OPS_PORT: `${opsPort}`, LOG_LEVEL: 'silent' }
  const service = await startChildService({ dataDir, env })
  t.after(() => service.child.kill())
  const figures = await readMetrics(`http://127.0.0.1:${opsPort}`)
  assert.equal(sum(figures, 'parley_charges_waiting'), 1)
})

test('whatever else is asked of the ops port is refused', async (t) => {
  const { ops } = await startWatched(t, {})
  const index = await fetch(ops)
  assert.match(await index.text(), /\/metrics .*\n\/healthz .*\n\/readyz /)
  const missing = await fetch(`${ops}/v1/models`)
  assert.equal(missing.status, 404)
  await missing.text()
  const posted = await fetch(`${ops}/metrics`, { method: 'POST', body: 'x' })
  assert.equal(posted.status, 405)
  await posted.text()
})

test('a port that was chosen must be free', async (t) => {
  const port = await occupy(t, 0)
  const child = startChild('src/main.ts', [], {
    cwd: makeTemporaryDirectory(t),
    env: { PORT: `${await findFreePort()}`, PARLEY_OPS_PORT: `${port}`, LOG_LEVEL: 'error' },
  })
  t.after(() => child.kill())
  assert.equal(await child.ended, 1)
  assert.match(child.stderr, new RegExp(`127\\.0\\.0\\.1:${port} is in use.*PARLEY_OPS_PORT`))
})

test('the default port is done without where something else has it', async (t) => {
  await occupy(t, 9464)
  const child = startChild('src/main.ts', [], {
    cwd: makeTemporaryDirectory(t),
    env: { PORT: `${await findFreePort()}`, OLLAMA_HOST: 'http://127.0.0.1:1', LOG_LEVEL: 'warn' },
  })
  t.after(() => child.kill())
  await child.said(/Parley is ready/)
  await child.said(/"port":9464,"msg":"no metrics: something else listens there/)
})

/** It may be another service's already. */
async function occupy(t: TestContext, port: number): Promise<number> {
  const server = createServer()
  t.after(() => server.close())
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch {
    return port
  }
}
