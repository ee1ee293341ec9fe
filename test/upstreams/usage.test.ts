import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from '#models/index.ts'
import { readEvents } from '../support/call.ts'
import { lyingUsages, type PlannedUsage, type Reply } from '../support/fake-upstream/index.ts'
import { priceOfPrime, setScene, type Scene } from './scene.ts'

const content = 'four words, truly counted'
const few = { max_tokens: 200 }

/** What a reply showed and was billed, streamed and whole, which must agree. */
async function settle(scene: Scene, reply: Reply) {
  scene.upstream.play(reply)
  const { usage } = readEvents((await scene.stream(few)).text).at(-1)
  const [streamed] = await scene.receipts()
  const whole = await scene.ask(few)
  const [receipt] = await scene.receipts()
  assert.ok(streamed && receipt)
  assert.deepEqual(whole.json.usage, usage)
  assert.equal(streamed.usage_source, receipt.usage_source)
  for (const one of [streamed, receipt]) {
    assert.equal(one.ended, 'completed')
    assert.equal(one.prompt_tokens, usage.prompt_tokens)
    assert.equal(one.completion_tokens, usage.completion_tokens)
    assert.equal(one.cost_eur, priceOfPrime(one.prompt_tokens, one.completion_tokens))
  }
  return { usage, source: receipt.usage_source, costEur: receipt.cost_eur }
}

test('where the upstream tells its usage, that is what is shown and charged', async (t) => {
  const scene = await setScene(t)
  const planned = { promptTokens: 123, completionTokens: 45, reasoningTokens: 40, cachedTokens: 9 }
  const { usage, source } = await settle(scene, { content, usage: planned })
  assert.deepEqual(usage, { prompt_tokens: 123, completion_tokens: 45, total_tokens: 168 })
  assert.equal(source, 'upstream')
})

test('where the upstream tells none, what it gave is counted', async (t) => {
  const scene = await setScene(t)
  const { usage, source } = await settle(scene, { content, usage: 'none' })
  assert.equal(usage.completion_tokens, countTokens(content))
  assert.ok(usage.prompt_tokens > countTokens('Hello!'))
  assert.equal(source, 'counted')
})

test('a usage that cannot be true is not believed: what came is counted', async (t) => {
  const scene = await setScene(t)
  const honest = await settle(scene, { content, usage: 'none' })
  const lies: Readonly<Record<string, PlannedUsage>> = {
    ...lyingUsages,
    'negative output': { promptTokens: 10, completionTokens: -1 },
    'null output': { promptTokens: 10, completionTokens: null },
    'a prompt beyond the context window': { promptTokens: 1e9, completionTokens: 4 },
    'infinite output': { promptTokens: 10, completionTokens: Infinity },
  }
  for (const [name, usage] of Object.entries(lies)) {
    await t.test(name, async () => {
      assert.deepEqual(await settle(scene, { content, usage }), honest)
    })
  }
})

test('an explicit zero is zero: the reply is free', async (t) => {
  const scene = await setScene(t)
  const before = await scene.account()
  const { usage, source, costEur } = await settle(scene, { content, usage: 'zero' })
  assert.deepEqual(usage, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
  assert.equal(source, 'upstream')
  assert.equal(costEur, '0.00')
  assert.equal((await scene.account()).balance_eur, before.balance_eur)
})

test('no usage bills more output than max_tokens', async (t) => {
  const scene = await setScene(t)
  for (const completionTokens of [201, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    const { usage } = await settle(scene, {
      content,
      usage: { promptTokens: 10, completionTokens },
    })
    assert.equal(usage.completion_tokens, few.max_tokens)
  }
})

test('the last usage of a stream replaces those before it', async (t) => {
  const scene = await setScene(t, { settings: { continuousUsage: true } })
  const usage = { promptTokens: 12, completionTokens: 9 }
  const told = await settle(scene, { content, usage, dialect: 'vllm' })
  assert.deepEqual(told.usage, { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 })
})

test('on a stream that we cut off, the usage told until then is billed', async (t) => {
  const scene = await setScene(t, { settings: { continuousUsage: true } })
  scene.upstream.play({ dialect: 'vllm', fault: { kind: 'overrun', extraTokens: 10_000 } })
  const { choices, usage } = readEvents((await scene.stream({ max_tokens: 50 })).text).at(-1)
  assert.equal(choices[0].finish_reason, 'length')
  assert.deepEqual(usage, { prompt_tokens: 10, completion_tokens: 50, total_tokens: 60 })
  assert.equal((await scene.receipts())[0]?.usage_source, 'upstream')
})

test('what is billed is what the balance loses, to the nano-euro', async (t) => {
  const scene = await setScene(t)
  const usage = { promptTokens: 7, completionTokens: 11 }
  await settle(scene, { content, usage })
  // A thousand deposited and the free 1.00 €, less two replies.
  const spent = 2 * (7 * 1_800 + 11 * 6_200)
  const left = 1_001_000_000_000 - spent
  assert.equal(
    (await scene.account()).balance_eur,
    `1000.${String(left).slice(4).replace(/0+$/, '')}`,
  )
})
