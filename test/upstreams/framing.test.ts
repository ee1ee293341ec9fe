import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { Models, ReplyEvent } from '#models/index.ts'
import {
  startFakeUpstream,
  type Dialect,
  type FakeUpstream,
  type Framing,
  type PlannedToolCall,
  type Reply,
} from '../support/fake-upstream/index.ts'
import { joinTexts, openModels, readReply } from './models-door.ts'
import { describeUpstream } from './scene.ts'

/** Characters of one to four bytes, one of several code points, and what looks like framing. */
const reply: Reply = {
  deltas: ['Grüße ', '漢字', '👩🏽‍🚀 ', 'data: [DONE]\n\n', ': no comment\r\n', '\u2028.'],
  reasoning: 'Überlegt ',
  toolCalls: [{ name: 'find', arguments: '{"q":"é"}', fragments: ['{"q":', '"é"}'] }],
}

const framings: readonly Framing[] = [
  {},
  { lineEnding: '\r\n' },
  { lineEnding: '\r' },
  { noSpaceAfterData: true },
  { comment: 'keep-alive' },
  { comment: '', lineEnding: '\r\n' },
  { extraLines: ['event: message', 'id: 7', 'retry: 10'] },
  { byteOrderMark: true },
  { comment: 'ping', lineEnding: '\r\n', noSpaceAfterData: true, byteOrderMark: true },
]

const dialects: readonly Dialect[] = [
  'openai',
  'vllm',
  'vllm-old',
  'sglang',
  'llama.cpp',
  'ollama',
  'deepseek',
  'openrouter',
]

async function openDoor(t: TestContext): Promise<{ upstream: FakeUpstream; models: Models }> {
  const upstream = await startFakeUpstream()
  const models = await openModels(t, [describeUpstream('fake', upstream.url)])
  t.after(() => upstream.close())
  return { upstream, models }
}

test('however a stream is framed, it says the same', async (t) => {
  const { upstream, models } = await openDoor(t)
  const plain = await play(upstream, models, reply)
  assert.equal(joinTexts(plain, 'content'), reply.deltas?.join(''))
  assert.equal(joinTexts(plain, 'reasoning'), reply.reasoning)
  for (const framing of framings) {
    for (const coalesce of [undefined, 3, 1_000]) {
      const whole = { ...framing, ...(coalesce && { coalesce }) }
      const events = await play(upstream, models, { ...reply, framing: whole })
      assert.deepEqual(events, plain, JSON.stringify(whole))
    }
  }
})

test('split at every byte, a stream of any framing says the same', async (t) => {
  const { upstream, models } = await openDoor(t)
  const plain = await play(upstream, models, reply)
  for (const framing of framings) {
    const split = { ...reply, framing: { ...framing, splitAtBytes: 'every' as const } }
    assert.deepEqual(await play(upstream, models, split), plain, JSON.stringify(framing))
  }
})

test('split in two at each byte in turn, a stream says the same', async (t) => {
  const { upstream, models } = await openDoor(t)
  const plain = await play(upstream, models, reply)
  const framing: Framing = { lineEnding: '\r\n', comment: 'ping', noSpaceAfterData: true }
  const sizeBytes = await measure(upstream, models, { ...reply, framing })
  assert.ok(sizeBytes > 1_000)
  for (let at = 1; at < sizeBytes; at += 1) {
    const split = { ...reply, framing: { ...framing, splitAtBytes: [at] } }
    assert.deepEqual(await play(upstream, models, split), plain, `split at byte ${at}`)
  }
})

test('whatever is scripted arrives, in any dialect, framing and split', async (t) => {
  const { upstream, models } = await openDoor(t)
  await fc.assert(
    fc.asyncProperty(anyReply(), async (scripted) => {
      const events = await play(upstream, models, scripted)
      assert.equal(joinTexts(events, 'content'), (scripted.deltas ?? []).join(''))
      assert.equal(joinTexts(events, 'reasoning'), scripted.reasoning ?? '')
      const calls = events.flatMap((event) => (event.kind === 'tool_call' ? [event.call] : []))
      assert.deepEqual(
        calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
        (scripted.toolCalls ?? []).map((call) => ({
          name: call.name,
          arguments: call.arguments === '' ? '{}' : call.arguments,
        })),
      )
      assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length)
      assertOrder(events)
    }),
    { numRuns: 300 },
  )
})

/** Calls come whole before the one finish; nothing but usage comes after it. */
function assertOrder(events: readonly ReplyEvent[]): void {
  const finishes = events.filter(({ kind }) => kind === 'finish')
  assert.equal(finishes.length, 1)
  const later = events.slice(events.findIndex(({ kind }) => kind === 'finish') + 1)
  assert.ok(later.every(({ kind }) => kind === 'usage'))
}

function anyReply(): fc.Arbitrary<Reply> {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const byte = fc.integer({ min: 1, max: 4_000 })
  const splits = fc.oneof(
    fc.uniqueArray(byte, { maxLength: 40 }).map((list) => list.toSorted((a, b) => a - b)),
    fc.constant('every' as const),
  )
  const framing = fc
    .tuple(
      fc.constantFrom(...framings),
      fc.option(splits),
      fc.option(fc.integer({ min: 1, max: 9 })),
    )
    .map(([base, splitAtBytes, coalesce]) => ({
      ...base,
      ...(splitAtBytes && { splitAtBytes }),
      ...(coalesce !== null && { coalesce }),
    }))
  return fc
    .record({
      deltas: fc.array(text, { minLength: 1, maxLength: 8 }),
      reasoning: fc.constantFrom('', 'Hm. ', 'Über 漢字 '),
      toolCalls: fc.array(anyToolCall(), { maxLength: 4 }),
      shape: fc.constantFrom('fragments' as const, 'interleaved' as const, 'whole' as const),
      dialect: fc.constantFrom(...dialects),
      framing,
    })
    .filter(({ deltas, toolCalls }) => deltas.join('') !== '' || toolCalls.length > 0)
    .map(({ shape, ...rest }) => ({
      ...rest,
      // Under Ollama's one index only whole calls can be told apart.
      ...(rest.dialect !== 'ollama' && { toolCallShape: shape }),
    }))
}

function anyToolCall(): fc.Arbitrary<PlannedToolCall> {
  return fc
    .record({
      name: fc.stringMatching(/^[a-z_]{1,10}$/),
      fragments: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }), {
        maxLength: 5,
      }),
    })
    .map(({ name, fragments }) => ({ name, fragments, arguments: fragments.join('') }))
}

/** The events of a reply, which must end well. */
async function play(
  upstream: FakeUpstream,
  models: Models,
  scripted: Reply,
): Promise<readonly ReplyEvent[]> {
  upstream.play(scripted)
  const { events, failure } = await readReply(models)
  assert.equal(failure, undefined)
  return events
}

/** How many bytes a reply has on the wire. */
async function measure(upstream: FakeUpstream, models: Models, scripted: Reply): Promise<number> {
  await play(upstream, models, scripted)
  const record = upstream.requests.at(-1)
  await record?.ended
  return record?.bytesWritten ?? 0
}
