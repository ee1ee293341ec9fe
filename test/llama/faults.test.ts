import assert from 'node:assert/strict'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import {
  chat,
  hello,
  openAccount,
  operate,
  readEvents,
  type OpenedAccount,
} from '../support/call.ts'
import { listEngines } from '../support/llama/engine-processes.ts'
import { makeTinyUpstream, testWithEngine as test } from '../support/llama/test-with-engine.ts'
import { startService, type Service, type ServiceOptions } from '../support/service.ts'

const cold = { ...hello, temperature: 0 }

async function open(t: TestContext, options: ServiceOptions) {
  const service = await startService(options)
  t.after(() => service.close())
  const account = await openAccount(service, { min_tier: 3 })
  return { service, account, key: account.key }
}

/** A stream that has begun to reply, and what ends it. */
async function begin(service: Service, key: string, maxTokens: number) {
  const leaving = new AbortController()
  const response = await fetch(`${service.origin}/v1/chat/air`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...cold, stream: true, max_tokens: maxTokens }),
    signal: leaving.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  assert.ok(reader)
  let text = ''
  while (!text.includes('"content":"a"')) {
    const { value, done } = await reader.read()
    assert.equal(done, false, text)
    text += value
  }
  return {
    leave: () => leaving.abort(),
    async rest(): Promise<string> {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return text
        text += value
      }
    },
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const startMs = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - startMs < 40_000, `it never became true: ${String(holds)}`)
    await delay(50)
  }
}

async function receiptOf(service: Service, { accountId }: OpenedAccount) {
  await until(async () => {
    const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
    return json.held_eur === '0.00'
  })
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts?limit=1`)
  return json.data[0]
}

test('a client that leaves frees its place within a token, and pays for what was made', async (t) => {
  const upstream = makeTinyUpstream(t, { contextTokens: 8_192 }, { sequences: 1 })
  const { service, account, key } = await open(t, { upstreams: [upstream] })
  const stream = await begin(service, key, 4_000)
  const next = chat(service, key, 'air', { ...cold, max_tokens: 3 })
  stream.leave()
  const { json } = await next
  assert.equal(json.choices[0].message.content, 'abc', 'there is but one place, and it was free')
  const { json: receipts } = await operate(
    service,
    'GET',
    `/accounts/${account.accountId}/receipts?limit=5`,
  )
  const left = receipts.data.find(({ ended }: { ended: string }) => ended === 'client_left')
  assert.equal(left?.usage_source, 'upstream')
  assert.ok(left.completion_tokens > 0 && left.completion_tokens < 4_000)
})

test('an engine that is killed ends its replies as failed, and is soon back', async (t) => {
  const upstream = makeTinyUpstream(t, { contextTokens: 8_192 })
  const { service, account, key } = await open(t, { upstreams: [upstream] })
  const [pid] = listEngines()
  assert.ok(pid)
  const stream = await begin(service, key, 4_000)
  process.kill(pid, 'SIGKILL')
  const events = readEvents(await stream.rest())
  assert.equal(events.at(-1)?.choices[0]?.finish_reason, 'error')
  const receipt = await receiptOf(service, account)
  assert.equal(receipt.ended, 'upstream_failed')
  assert.equal(receipt.usage_source, 'upstream')
  assert.equal(receipt.completion_tokens, events.at(-1)?.usage?.completion_tokens)
  const away = await chat(service, key, 'air', cold)
  assert.equal(away.status, 503, away.text)
  assert.equal(away.json.error.code, 'model_unavailable')
  await until(
    async () => (await chat(service, key, 'air', { ...cold, max_tokens: 3 })).status === 200,
  )
  assert.equal((await operate(service, 'GET', '/ledger/verify')).json.ok, true)
  assert.ok(service.logged.some((line) => line.includes('the engine ended (SIGKILL)')))
})

test('a broken file is 503 and a line in the log, until the file is mended', async (t) => {
  const upstream = makeTinyUpstream(t)
  const sound = readFileSync(upstream.path)
  truncateSync(upstream.path, sound.length / 2)
  const { service, key } = await open(t, {
    brands: { air: { upstreams: [upstream] }, prime: { upstreams: [{ kind: 'simulated' }] } },
  })
  assert.equal((await chat(service, key, 'air', cold)).status, 503)
  assert.equal((await chat(service, key, 'prime', cold)).status, 200)
  assert.ok(service.logged.some((line) => line.includes('the model file cannot be')))
  writeFileSync(upstream.path, sound)
  await until(
    async () => (await chat(service, key, 'air', { ...cold, max_tokens: 3 })).status === 200,
  )
})

test('what does not fit the context is refused before anything is cut', async (t) => {
  const upstream = makeTinyUpstream(t, { contextTokens: 512 })
  const offered = { contextWindow: 131_072, maxOutputTokens: 4_096, upstreams: [upstream] }
  const { service, account, key } = await open(t, { brands: { air: offered } })
  const long = { role: 'user', content: 'x'.repeat(600) }
  const refused = await chat(service, key, 'air', { ...cold, messages: [long] })
  assert.equal(refused.status, 400, refused.text)
  assert.match(refused.json.error.message, /^messages: /)
  const most = { role: 'user', content: 'x'.repeat(300) }
  const { json } = await chat(service, key, 'air', { ...cold, messages: [most] })
  assert.equal(json.choices[0].finish_reason, 'length')
  assert.equal(json.usage.total_tokens, 511, 'the reply ends where the context does')
  assert.equal((await receiptOf(service, account)).ended, 'completed')
})

test('eight streams at once say what one says alone, and more than fit wait their turn', async (t) => {
  const upstream = makeTinyUpstream(t, {}, { sequences: 4 })
  const { service, key } = await open(t, { upstreams: [upstream] })
  const ask = async (content: string): Promise<string> => {
    const messages = [{ role: 'user', content }]
    const body = { messages, temperature: 0, max_tokens: 120, stream: true }
    const { text } = await chat(service, key, 'air', body)
    return readEvents(text)
      .map(({ choices }) => choices[0]?.delta.content ?? '')
      .join('')
  }
  const alone = await ask('Hello 0!')
  assert.ok(alone.length > 100, alone)
  const together = await Promise.all(Array.from({ length: 8 }, (_, one) => ask(`Hello ${one}!`)))
  assert.deepEqual(together, Array(8).fill(alone))
  const figures = service.app.models.health()[0]?.upstreams[0]
  assert.equal(figures?.requests, 9)
  assert.equal(figures?.failures, 0)
})
