import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ReplyEvent, UpstreamFailure } from '../upstream.ts'
import { createStreamDecoder } from './stream-decoder.ts'

interface Decoded {
  readonly events: readonly ReplyEvent[]
  readonly failure: UpstreamFailure | undefined
}

function decode(frames: readonly string[]): Decoded {
  const events: ReplyEvent[] = []
  let failure: UpstreamFailure | undefined
  const decoder = createStreamDecoder({
    emit: (event) => events.push(event),
    done: (reason) => (failure = reason),
  })
  for (const frame of frames) decoder.add(Buffer.from(`data: ${frame}\n\n`))
  decoder.end(undefined)
  return { events, failure }
}

/** Each frame by a decoder that has seen no other one: nothing that was learned can be of use there. */
function decodeEach(frames: readonly string[]): readonly ReplyEvent[] {
  return frames.flatMap((frame) => decode([frame]).events)
}

const piece = fc.string({
  unit: fc.constantFrom('"', '\\', 'a', '{', '}', ',', 'é', '👋', '\n', '"content":'),
  maxLength: 6,
})
const space = fc.constantFrom(undefined, 1)
const delta = fc.oneof(
  { weight: 6, arbitrary: piece.map((content) => ({ content })) },
  { weight: 1, arbitrary: piece.map((text) => ({ content: text, reasoning_content: text })) },
  { weight: 1, arbitrary: piece.map((content) => ({ role: 'assistant', content })) },
  { weight: 1, arbitrary: piece.map((refusal) => ({ content: null, refusal })) },
)
const usage = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(null, undefined) },
  { weight: 1, arbitrary: fc.constant({ prompt_tokens: 3, completion_tokens: 4 }) },
)
const chunk = fc.record({
  id: fc.constantFrom('a', '"content":"a"', 'chatcmpl-1'),
  choices: fc
    .record({ index: fc.constant(0), delta, finish_reason: fc.constant(null) })
    .map(toList),
  usage,
})

function toList<Item>(item: Item): Item[] {
  return [item]
}

test('a chunk means the same whatever came before it', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 8 }), space, (chunks, indent) => {
      const frames = chunks.map((one) => JSON.stringify(one, null, indent).replaceAll('\n', ' '))
      assert.deepEqual(decode(frames).events, decodeEach(frames))
    }),
    { numRuns: 2_000 },
  )
})

const frame = (content: string, rest = ''): string =>
  `{"id":"1","choices":[{"index":0,"delta":{"content":${content}},"finish_reason":null}]${rest}}`

test('what is broken within chunks that are alike is still broken', () => {
  for (const broken of ['"a', '"a" "b"', '"a","role":x', 'a']) {
    const { events, failure } = decode([frame('"a"'), frame('"b"'), frame(broken), frame('"c"')])
    assert.equal(failure?.reason, 'an event that is no JSON object', broken)
    assert.deepEqual(events, [
      { kind: 'content', text: 'a' },
      { kind: 'content', text: 'b' },
    ])
  }
})

test('what stands beside the content of a chunk like the others is not passed over', () => {
  const more = '"b","reasoning":"c"'
  const { events } = decode([frame('"a"'), frame('"a"'), frame(more), frame('"a"')])
  assert.deepEqual(events, [
    { kind: 'content', text: 'a' },
    { kind: 'content', text: 'a' },
    { kind: 'reasoning', text: 'c' },
    { kind: 'content', text: 'b' },
    { kind: 'content', text: 'a' },
  ])
})
