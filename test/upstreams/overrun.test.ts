import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decode, encode } from 'gpt-tokenizer'
import { readEvents } from '../support/call.ts'
import type { Fault, Reply } from '../support/fake-upstream/index.ts'
import { contentOf, priceOfPrime, setScene, within, type Scene } from './scene.ts'

const maxTokens = 20

/** Where the upstream tells no usage we go by our count, which may be this far off. */
const COUNT_ERROR_TOKENS = 14

interface Outcome {
  readonly text: string
  readonly finishReason: string | null
  readonly completionTokens: number
}

async function stream(scene: Scene, body: object): Promise<Outcome> {
  const events = readEvents((await scene.stream({ ...body })).text)
  const { choices, usage } = events.at(-1)
  return {
    text: contentOf(events),
    finishReason: choices[0].finish_reason,
    completionTokens: usage.completion_tokens,
  }
}

async function ask(scene: Scene, body: object): Promise<Outcome> {
  const { json } = await scene.ask({ ...body })
  return {
    text: json.choices[0].message.content,
    finishReason: json.choices[0].finish_reason,
    completionTokens: json.usage.completion_tokens,
  }
}

async function assertCutOff(scene: Scene, outcome: Outcome, slack = 0): Promise<void> {
  assert.equal(outcome.finishReason, 'length')
  assert.ok(outcome.completionTokens <= maxTokens, `${outcome.completionTokens} tokens shown`)
  const shown = encode(outcome.text).length
  assert.ok(shown <= maxTokens + slack, `${shown} tokens of text`)
  const [receipt] = await scene.receipts()
  assert.equal(receipt?.completion_tokens, outcome.completionTokens)
  assert.equal(receipt.finish_reason, 'length')
  assert.equal(receipt.ended, 'completed')
  assert.equal(receipt.cost_eur, priceOfPrime(receipt.prompt_tokens, receipt.completion_tokens))
}

test('a stream that goes on past max_tokens is cut off there, and the upstream cancelled', async (t) => {
  const scene = await setScene(t)
  const faults: readonly Fault[] = [{ kind: 'endless' }, { kind: 'overrun', extraTokens: 100_000 }]
  for (const [index, fault] of faults.entries()) {
    scene.upstream.play({ fault })
    await assertCutOff(scene, await stream(scene, { max_tokens: maxTokens }), COUNT_ERROR_TOKENS)
    const record = await scene.upstream.request(index)
    await within(1_000, record.aborted, 'the upstream was not cancelled')
  }
})

test('a caller who wants it whole gets an endless reply up to max_tokens', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ fault: { kind: 'endless' } })
  const { text, finishReason, completionTokens } = await ask(scene, { max_tokens: 1_000 })
  assert.equal(finishReason, 'length')
  assert.equal(completionTokens, 1_000)
  assert.ok(encode(text).length <= 1_310)
  const record = await scene.upstream.request(0)
  assert.equal(record.body.stream, true)
  await within(1_000, record.aborted, 'the upstream was not cancelled')
})

test('a delta far larger than max_tokens is cut within', async (t) => {
  const scene = await setScene(t)
  for (const sizeBytes of [1_000, 1_000_000]) {
    scene.upstream.play({ fault: { kind: 'huge-delta', sizeBytes } })
    await assertCutOff(scene, await stream(scene, { max_tokens: maxTokens }))
  }
  const smile = '🙂'.repeat(10_000)
  scene.upstream.play({ deltas: [smile] })
  const outcome = await stream(scene, { max_tokens: maxTokens })
  assert.ok(smile.startsWith(outcome.text), 'no character is cut in two')
  await assertCutOff(scene, outcome)
})

test('a whole reply that is truthful about its overrun is cut to max_tokens', async (t) => {
  const scene = await setScene(t)
  const content = 'word '.repeat(60)
  scene.upstream.play({ content, usage: { promptTokens: 10, completionTokens: 61 } })
  const outcome = await ask(scene, { max_tokens: maxTokens })
  assert.equal(scene.upstream.requests[0]?.body.stream, false)
  assert.equal(outcome.completionTokens, maxTokens)
  assert.ok(outcome.text.startsWith('word ') && content.startsWith(outcome.text))
  await assertCutOff(scene, outcome)
})

test('a stream that tells of its overrun at its end is shown and billed max_tokens', async (t) => {
  const scene = await setScene(t)
  for (const extraTokens of [1, 2, 5]) {
    scene.upstream.play({ fault: { kind: 'overrun', extraTokens } })
    const outcome = await stream(scene, { max_tokens: maxTokens })
    await assertCutOff(scene, outcome, COUNT_ERROR_TOKENS)
  }
})

test('reasoning and tool calls count towards max_tokens like all else', async (t) => {
  const scene = await setScene(t)
  const overruns: readonly Reply[] = [
    { reasoning: 'think '.repeat(200), content: 'never said' },
    { toolCalls: [{ name: 'find', arguments: JSON.stringify({ q: 'word '.repeat(200) }) }] },
  ]
  for (const reply of overruns) {
    scene.upstream.play(reply)
    const outcome = await stream(scene, { max_tokens: maxTokens })
    assert.equal(outcome.text, '')
    await assertCutOff(scene, outcome)
  }
})

test('max_tokens above the ceiling is lowered to it, and the upstream is told', async (t) => {
  const scene = await setScene(t, { brands: { prime: { maxOutputTokens: maxTokens } } })
  scene.upstream.play({ fault: { kind: 'overrun', extraTokens: 1_000 } })
  for (const body of [{}, { max_tokens: 8_000 }, { max_tokens: 5 }]) {
    const { finishReason, completionTokens } = await stream(scene, body)
    assert.equal(finishReason, 'length')
    assert.ok(completionTokens <= ('max_tokens' in body ? Math.min(20, body.max_tokens) : 20))
  }
  const told = scene.upstream.requests.map(({ body }) => body.max_tokens)
  assert.deepEqual(told, [20, 20, 5])
})

/** Ordinary texts, of the kinds that a tokenizer of today knows well. */
const prose = [
  'The committee met on Thursday to discuss whether the old bridge could be repaired before winter. ',
  'Wer reitet so spät durch Nacht und Wind? Es ist der Vater mit seinem Kind; er hat den Knaben. ',
  'No meio do caminho tinha uma pedra, tinha uma pedra no meio do caminho. Nunca me esquecerei. ',
]
/** Where two characters or one can be a token, pieces of that size cannot be told from tokens. */
const shortTokens = [
  'export function add(left: number, right: number): number {\n  return left + right\n}\n\n',
  '{"id": 1042, "name": "Ada Lovelace", "tags": ["math", "engine"], "active": true}\n',
  '2026-03-14T15:09:26Z INFO request_id=abc123 status=200 duration_ms=35 path=/v1/chat\n',
  '| Month | Sales | Change |\n| --- | ---: | ---: |\n| May | 12,400 | +3.2 % |\n',
  'Привет, мир! Сегодня хорошая погода, и мы идём гулять в парк. ',
  '今天天气很好，我们去公园散步吧。你想一起来吗？',
]

function anyText(from: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...from), fc.nat(20), fc.integer({ min: 1, max: 6 }))
    .map(([sample, skipped, times]) => Array.from(sample.repeat(times)).slice(skipped).join(''))
}

/** A token each, where a token is not only a part of a character. */
function splitTokens(text: string): readonly string[] {
  const pieces: string[] = []
  let waiting: number[] = []
  for (const token of encode(text)) {
    waiting.push(token)
    const piece = decode(waiting)
    if (piece.includes('\uFFFD')) continue
    pieces.push(piece)
    waiting = []
  }
  return pieces
}

const splits: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'a token each': splitTokens,
  'a character each': (text) => Array.from(text),
  'two characters each': (text) => text.match(/[^]{1,2}/gu) ?? [],
  'in one piece': (text) => [text],
}

for (const [name, split] of Object.entries(splits)) {
  test(`a reply of exactly max_tokens, ${name}, is never cut`, async (t) => {
    const scene = await setScene(t)
    const texts = name.includes('character') ? prose : [...prose, ...shortTokens]
    await fc.assert(
      fc.asyncProperty(anyText(texts), async (text) => {
        const tokens = encode(text).length
        const usage = { promptTokens: 10, completionTokens: tokens }
        scene.upstream.play({ deltas: split(text), usage })
        const whole = { text, finishReason: 'stop', completionTokens: tokens }
        assert.deepEqual(await stream(scene, { max_tokens: tokens }), whole)
        assert.deepEqual(await ask(scene, { max_tokens: tokens }), whole)
        scene.service.clock.advance(60_000)
      }),
      { numRuns: 40 },
    )
  })
}

test('where the upstream tells its usage, it is believed: a rare script is not cut', async (t) => {
  // Our count is far above what a model that learned this script needs.
  const text = '𐌰𐌽𐌳𐌱𐌰𐌷𐍄𐌹 '.repeat(10)
  const usage = { promptTokens: 10, completionTokens: 30 }
  const scene = await setScene(t, { settings: { continuousUsage: true } })
  const whole = { text, finishReason: 'stop', completionTokens: 30 }
  scene.upstream.play({ content: text, usage, dialect: 'vllm' })
  assert.deepEqual(await ask(scene, { max_tokens: 30 }), whole)
  assert.deepEqual(await stream(scene, { max_tokens: 30 }), whole)
})
