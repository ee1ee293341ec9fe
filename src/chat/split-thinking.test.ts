import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createThinkingSplitter } from './split-thinking.ts'

interface Split {
  readonly content: string
  readonly reasoning: string
}

function split(...texts: readonly string[]): Split {
  let content = ''
  let reasoning = ''
  const splitter = createThinkingSplitter({
    content: (text) => void (content += text),
    reasoning: (text) => void (reasoning += text),
  })
  for (const text of texts) splitter.add(text)
  splitter.end()
  return { content, reasoning }
}

test('what stands between the tags at the beginning is the reasoning', () => {
  assert.deepEqual(split('<think>Hm.</think>Yes.'), { content: 'Yes.', reasoning: 'Hm.' })
})

test('blanks before the first tag and behind the last belong to neither', () => {
  const expected = { content: 'Yes. \n', reasoning: ' Hm. ' }
  assert.deepEqual(split('\n <think> Hm. </think>\n\n Yes. \n'), expected)
})

test('a reply without the tag is passed on as it is, blanks included', () => {
  for (const text of ['Yes.', '', '\n Yes.', '<thin ice', '<', ' <', 'a <think>b</think>']) {
    assert.deepEqual(split(text), { content: text, reasoning: '' })
  }
})

test('a tag later in the reply is text like any other', () => {
  const text = 'Write <think>so</think>.'
  assert.deepEqual(split(text), { content: text, reasoning: '' })
  const after = split(`<think>Hm.</think>${text}<think>`)
  assert.deepEqual(after, { content: `${text}<think>`, reasoning: 'Hm.' })
})

test('what looks like the closing tag but is not stays in the reasoning', () => {
  const { content, reasoning } = split('<think>a </thin b </ c < d </think>e')
  assert.deepEqual({ content, reasoning }, { content: 'e', reasoning: 'a </thin b </ c < d ' })
})

test('a reply that ends in its reasoning has no content', () => {
  assert.deepEqual(split('<think>Hm'), { content: '', reasoning: 'Hm' })
  assert.deepEqual(split('<think>Hm</thi'), { content: '', reasoning: 'Hm</thi' })
  assert.deepEqual(split('<think>Hm</think>'), { content: '', reasoning: 'Hm' })
  assert.deepEqual(split('<think>'), { content: '', reasoning: '' })
})

test('what is surely no tag is passed on at once', () => {
  const passed: string[] = []
  const splitter = createThinkingSplitter({
    content: (text) => void passed.push(`c:${text}`),
    reasoning: (text) => void passed.push(`r:${text}`),
  })
  splitter.add('<think>one ')
  splitter.add('two <')
  splitter.add('b>')
  splitter.add('</think>')
  splitter.add('\n')
  splitter.add('three')
  assert.deepEqual(passed, ['r:one ', 'r:two ', 'r:<b>', 'c:three'])
})

test('however a reply is cut into pieces, it is taken apart the same', () => {
  const part = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '/',
    'think',
    '>',
    ' ',
    '\n',
    'word',
    'é',
  )
  const pieces = fc.array(part, { maxLength: 14 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { maxLength: 8 }), (parts, cuts) => {
      const text = parts.join('')
      const places = cuts.filter((at) => at < text.length).toSorted((a, b) => a - b)
      const cut = [0, ...places].map((at, index) => text.slice(at, places[index]))
      assert.deepEqual(split(...cut), split(text))
    }),
    { numRuns: 1_000 },
  )
})
