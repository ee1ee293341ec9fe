import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from '#models/index.ts'
import { createTally } from './tally.ts'

const options = { promptEstimate: 7, maxTokens: 10, contextWindow: 1_000 }

/** Words of one token each, one more each time. */
function words(count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? 'word' : ' word'))
}

function tallyOf(texts: readonly string[]) {
  const tally = createTally(options)
  for (const text of texts) tally.count(text)
  return tally
}

test('without a usage it is what was counted, beside the estimate of the prompt', () => {
  const tally = tallyOf(['four words', ', truly counted'])
  const completionTokens = countTokens('four words, truly counted')
  assert.deepEqual(tally.result(), {
    usage: { promptTokens: 7, completionTokens },
    source: 'counted',
    beyondLimit: false,
  })
  assert.equal(tally.left(), 10 - completionTokens)
})

test('a usage that was told is believed, the last one most', () => {
  const tally = tallyOf(words(3))
  tally.report({ promptTokens: 12, completionTokens: 2 })
  tally.report({ promptTokens: 12, completionTokens: 5 })
  assert.deepEqual(tally.result(), {
    usage: { promptTokens: 12, completionTokens: 5 },
    source: 'upstream',
    beyondLimit: false,
  })
})

test('an explicit zero is zero', () => {
  const tally = tallyOf(words(3))
  tally.report({ promptTokens: 0, completionTokens: 0 })
  assert.deepEqual(tally.result().usage, { promptTokens: 0, completionTokens: 0 })
})

test('a prompt longer than the context window is a lie, and the report with it', () => {
  const tally = tallyOf(words(3))
  tally.report({ promptTokens: 1_000, completionTokens: 4 })
  tally.report({ promptTokens: 1_001, completionTokens: 5 })
  assert.deepEqual(tally.result().usage, { promptTokens: 1_000, completionTokens: 4 })
})

test('no more than the limit is ever billed', () => {
  const counted = tallyOf(words(100))
  assert.equal(counted.result().usage.completionTokens, 10)
  assert.equal(counted.left(), 0)
  const told = tallyOf(words(1))
  told.report({ promptTokens: 1, completionTokens: 11 })
  assert.deepEqual(told.result(), {
    usage: { promptTokens: 1, completionTokens: 10 },
    source: 'upstream',
    beyondLimit: true,
  })
})

test('what the upstream says that it generated beyond the limit is an overrun', () => {
  const tally = tallyOf(words(1))
  tally.report({ promptTokens: 1, completionTokens: 10 })
  assert.equal(tally.overran(), false)
  tally.report({ promptTokens: 1, completionTokens: 11 })
  assert.equal(tally.overran(), true)
})

test('a count a little above the limit may be our error; one far above is an overrun', () => {
  assert.equal(tallyOf([words(10).join('')]).overran(), false)
  assert.equal(tallyOf([words(13).join('')]).overran(), false)
  assert.equal(tallyOf([words(40).join('')]).overran(), true)
})

test('pieces smaller than tokens are no overrun, however many', () => {
  assert.equal(tallyOf(Array.from(words(10).join(''))).overran(), false)
  assert.equal(tallyOf(Array.from(words(12).join(''))).overran(), false)
})
