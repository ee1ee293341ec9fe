import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../support/call.ts'
import type { Reply } from '../support/fake-upstream/index.ts'
import { contentOf, setScene } from './scene.ts'

const reply: Reply = {
  deltas: ['\n<th', 'ink>', 'Hm, ', 'let me', ' see.', '</', 'think>\n\n', 'Yes', '.'],
  usage: { promptTokens: 10, completionTokens: 9 },
}

test('reasoning that a server has left in the content is taken apart on nova', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play(reply)
  const events = readEvents((await scene.stream({}, 'nova')).text)
  const reasoning = events.map(({ choices }) => choices[0].delta.reasoning_content ?? '').join('')
  assert.deepEqual([reasoning, contentOf(events)], ['Hm, let me see.', 'Yes.'])
  assert.ok(events.every(({ choices }) => choices[0].delta.content !== ''))
  const { json } = await scene.ask({}, 'nova')
  const { message } = json.choices[0]
  assert.deepEqual([message.reasoning_content, message.content], [reasoning, 'Yes.'])
})

test('air and prime never have reasoning_content, whatever the upstream sends', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ reasoning: 'Hm. ', content: 'Yes.' })
  for (const brand of ['air', 'prime'] as const) {
    const streamed = await scene.stream({}, brand)
    const whole = await scene.ask({}, brand)
    for (const { text } of [streamed, whole]) assert.doesNotMatch(text, /reasoning|Hm/)
    assert.equal(whole.json.usage.completion_tokens, 2, 'it is billed all the same')
  }
})

test('blanks before a tool call come before it, not after', async (t) => {
  const scene = await setScene(t)
  scene.upstream.play({ deltas: ['\n\n'], toolCalls: [{ name: 'find', arguments: '{}' }] })
  const events = readEvents((await scene.stream({}, 'nova')).text)
  const kinds = events.flatMap(({ choices }) => Object.keys(choices[0].delta))
  assert.deepEqual(
    kinds.filter((kind) => kind !== 'content'),
    ['role', 'tool_calls'],
  )
  assert.equal(kinds.at(-1), 'tool_calls')
})
