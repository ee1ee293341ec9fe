import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from '#models/index.ts'
import { readEvents, type Answer } from '../support/call.ts'
import type { Fault, Reply } from '../support/fake-upstream/index.ts'
import { contentOf, neverOpens, priceOfPrime, setScene, type Scene } from './scene.ts'

/** After the third delta, of which all but the last word of "one two three four" were given. */
const breaking: Readonly<Record<string, Fault>> = {
  'a reset': { kind: 'reset', at: 'after-delta-3' },
  'a closed connection': { kind: 'cut', at: 'after-delta-3' },
  'a clean end without a finish': { kind: 'end', at: 'after-delta-3' },
  'an event that is no chunk': { kind: 'malformed-event', at: 'after-delta-3' },
  'an event that is a list': { kind: 'malformed-event', at: 'after-delta-3', data: '[' },
  'a [DONE] too early': { kind: 'malformed-event', at: 'after-delta-3', data: '[DONE]' },
  'an error event': { kind: 'error-event', at: 'after-delta-3' },
  silence: { kind: 'hang', at: 'after-delta-3' },
}

const reply = { content: 'one two three four' }
const given = 'one two three '
const settings = { idleTimeoutMs: 60 }

test('a stream that breaks off ends with an error and charges what was given until then', async (t) => {
  const scene = await setScene(t, { upstreamCount: 2, circuit: neverOpens, settings })
  for (const [name, fault] of Object.entries(breaking)) {
    await t.test(name, async () => {
      scene.upstream.play({ ...reply, fault })
      const before = await scene.account()
      const answer = await scene.stream()
      assert.equal(answer.status, 200)
      const events = readEvents(answer.text)
      assert.equal(contentOf(events), given)
      const { choices, usage } = events.at(-1)
      assert.equal(choices[0].finish_reason, 'error')
      assert.equal(usage.completion_tokens, countTokens(given))
      const [receipt] = await scene.receipts()
      assert.equal(receipt?.ended, 'upstream_failed')
      assert.equal(receipt.finish_reason, 'error')
      assert.equal(receipt.usage_source, 'counted')
      assert.equal(receipt.prompt_tokens, usage.prompt_tokens)
      assert.equal(receipt.completion_tokens, usage.completion_tokens)
      const cost = priceOfPrime(usage.prompt_tokens, usage.completion_tokens)
      assert.equal(receipt.cost_eur, cost)
      const after = await scene.account()
      assert.equal(after.held_eur, '0.00')
      assert.equal(Number(before.balance_eur) - Number(after.balance_eur) > 0, true)
    })
  }
  assert.equal(scene.upstreams[1]?.requests.length, 0, 'half a reply is not begun again')
  const failures = (await scene.health()).upstreams[0]?.failures
  assert.equal(failures, Object.keys(breaking).length)
})

test('a caller who wants it whole gets a 502 for a reply that breaks off, for nothing', async (t) => {
  const scene = await setScene(t, { circuit: neverOpens, settings })
  const before = await scene.account()
  for (const [name, fault] of Object.entries(breaking)) {
    await t.test(name, async () => {
      scene.upstream.play({ ...reply, fault })
      const answer = await scene.ask()
      assert.equal(scene.upstream.requests.at(-1)?.body.stream, true)
      await assertFreeFailure(scene, answer, before.balance_eur)
    })
  }
  for (const fault of wholeFaults) {
    await t.test(`a whole reply: ${fault.kind}`, async () => {
      scene.upstream.play({ ...reply, fault })
      const answer = await scene.ask({ max_tokens: 100 })
      assert.equal(scene.upstream.requests.at(-1)?.body.stream, false)
      await assertFreeFailure(scene, answer, before.balance_eur)
    })
  }
})

const wholeFaults: readonly Fault[] = [
  { kind: 'truncated-body' },
  { kind: 'reset', at: 'after-delta-1' },
  { kind: 'cut', at: 'after-delta-1' },
  { kind: 'end', at: 'after-delta-1' },
  { kind: 'hang', at: 'after-delta-1' },
  { kind: 'error-event', at: 'after-delta-1' },
]

async function assertFreeFailure(scene: Scene, answer: Answer, balanceEur: string): Promise<void> {
  assert.equal(answer.status, 502, answer.text)
  assert.equal(answer.json.error.code, 'upstream_error')
  const [receipt] = await scene.receipts()
  assert.equal(receipt?.ended, 'upstream_failed')
  assert.equal(receipt.cost_eur, '0.00')
  const { balance_eur: balance, held_eur: held } = await scene.account()
  assert.deepEqual({ balance, held }, { balance: balanceEur, held: '0.00' })
}

test('once the model has finished, how the connection ends no longer matters', async (t) => {
  const scene = await setScene(t, { settings })
  const endings: Readonly<Record<string, Fault>> = {
    'no [DONE]': { kind: 'end', at: 'before-done' },
    'a reset': { kind: 'reset', at: 'after-finish' },
    'a closed connection': { kind: 'cut', at: 'after-finish' },
    silence: { kind: 'hang', at: 'after-finish' },
    'an event that is no chunk': { kind: 'malformed-event', at: 'after-finish' },
    'an error event': { kind: 'error-event', at: 'after-finish' },
  }
  for (const [name, fault] of Object.entries(endings)) {
    await t.test(name, async () => {
      scene.upstream.play({ ...reply, fault })
      const events = readEvents((await scene.stream()).text)
      assert.equal(contentOf(events), reply.content)
      assert.equal(events.at(-1).choices[0].finish_reason, 'stop')
      assert.equal((await scene.receipts())[0]?.ended, 'completed')
      const whole = await scene.ask()
      assert.equal(whole.status, 200, whole.text)
      assert.equal(whole.json.choices[0].message.content, reply.content)
    })
  }
  assert.equal((await scene.health()).upstreams[0]?.failures, 0)
})

test('a stream that breaks off is billed by the last usage that it reported', async (t) => {
  const scene = await setScene(t, { settings: { ...settings, continuousUsage: true } })
  const vllm: Reply = {
    ...reply,
    dialect: 'vllm',
    usage: { promptTokens: 77, completionTokens: 50 },
  }
  scene.upstream.play({ ...vllm, fault: { kind: 'reset', at: 'after-delta-3' } })
  const { usage } = readEvents((await scene.stream()).text).at(-1)
  assert.deepEqual(usage, { prompt_tokens: 77, completion_tokens: 3, total_tokens: 80 })
  const [receipt] = await scene.receipts()
  assert.equal(receipt?.usage_source, 'upstream')
  assert.equal(receipt.cost_eur, priceOfPrime(77, 3))
})

test('tool calls that were not whole when a stream broke off are not passed on, but counted', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({
    toolCalls: [{ name: 'find', arguments: '{"query":"everything"}' }],
    fault: { kind: 'reset', at: 'after-delta-3' },
  })
  const events = readEvents((await scene.stream()).text)
  assert.ok(events.every(({ choices }) => choices[0].delta.tool_calls === undefined))
  const { choices, usage } = events.at(-1)
  assert.equal(choices[0].finish_reason, 'error')
  assert.ok(usage.completion_tokens > 0)
})

test('reasoning that is not shown is charged when its stream breaks off', async (t) => {
  const scene = await setScene(t)
  const reasoning = 'thinking hard about it '
  scene.upstream.play({ reasoning, fault: { kind: 'cut', at: 'after-delta-4' } })
  const hidden = readEvents((await scene.stream()).text)
  assert.equal(hidden.length, 2)
  assert.equal(hidden.at(-1).usage.completion_tokens, countTokens(reasoning))
  const shown = readEvents((await scene.stream({}, 'nova')).text)
  assert.equal(shown.at(-1).usage.completion_tokens, countTokens(reasoning))
})
