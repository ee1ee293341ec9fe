import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { countTokens, createTokenCounter } from './token-counter.ts'

const CORPUS = new URL('../../bench/estimate/corpus/', import.meta.url)
const BOUND_PERCENT = 25

const COMMON_CHARS = Array.from('aeotsnZX09  \n.,_="\'{}éñжم的かの한👍')
/** Any UTF-16 text, lone surrogates and all; mostly of chars that meet each other in real texts. */
const anyChar = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...COMMON_CHARS) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)) },
)
/** Some chars come in runs, as in long words and drawn lines. */
const anyRun = fc.tuple(anyChar, fc.integer({ min: 2, max: 24 })).map(([c, n]) => c.repeat(n))
const anyText = fc
  .array(fc.oneof({ weight: 9, arbitrary: anyChar }, { weight: 1, arbitrary: anyRun }), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''))

test('no text is no tokens', () => {
  assert.equal(createTokenCounter().tokens, 0)
  assert.equal(countTokens(''), 0)
})

test('any text is at least one token, but for spaces', () => {
  for (const text of ['a', 'Z', '7', '.', '\n', 'é', '的', '👍', '\ud83d', '\udc4d', '\0']) {
    assert.ok(countTokens(text) >= 1, JSON.stringify(text))
  }
})

test('however a text is cut, even within a surrogate pair, its count is the same', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(80), { maxLength: 6 }), (text, cuts) => {
      const counter = createTokenCounter()
      let from = 0
      for (const to of [...cuts.toSorted((a, b) => a - b), text.length]) {
        counter.add(text.slice(from, to))
        from = Math.max(from, to)
      }
      assert.equal(counter.tokens, countTokens(text))
    }),
    { numRuns: 2000 },
  )
})

test('a text fed char by char counts as it does whole', () => {
  const text = 'Olá, 👩‍👩‍👧 HTTPServer(x) = 12345;\n\n\tdon\'t 日本語 — "ok"\ud83d'
  const counter = createTokenCounter()
  for (let index = 0; index < text.length; index++) counter.add(text.charAt(index))
  assert.equal(counter.tokens, countTokens(text))
})

test('more text never lowers the count', () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 6 }), (texts) => {
      const counter = createTokenCounter()
      let before = 0
      for (const text of texts) {
        counter.add(text)
        assert.ok(counter.tokens >= before)
        before = counter.tokens
      }
    }),
  )
})

test('two texts joined count as the two apart, give or take the word at the seam', () => {
  // A word's letters cost most after the sixteenth: sixteen more of them are five tokens dearer.
  const dearerAtSeam = 6
  // Marks that go on as a drawn line save one and a bit; each text alone is rounded up besides.
  const cheaperAtSeam = 3
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const apart = countTokens(a) + countTokens(b)
      const joined = countTokens(a + b)
      assert.ok(joined <= apart + dearerAtSeam, `${joined} > ${apart} + ${dearerAtSeam}`)
      assert.ok(joined >= apart - cheaperAtSeam, `${joined} < ${apart} - ${cheaperAtSeam}`)
    }),
    { numRuns: 5000 },
  )
})

test('two counters do not disturb each other', () => {
  const one = createTokenCounter()
  const other = createTokenCounter()
  one.add('the first ')
  other.add('1234567')
  one.add('half')
  assert.equal(one.tokens, countTokens('the first half'))
  assert.equal(other.tokens, countTokens('1234567'))
})

test('random letters, digits and base64 are not passed off as words', () => {
  const letters = 'qzjxkvbwpyghfmdlcrnsioate'.repeat(40)
  assert.ok(countTokens(letters) > letters.length / 3)
  assert.ok(countTokens('7'.repeat(900)) >= 300)
  assert.ok(countTokens('Zk9+Qx3vLr7TbM2yHs8Jd5Nw'.repeat(40)) > 960 / 3)
})

const samples = measureCorpus()

for (const [category, members] of Map.groupBy(samples, (sample) => sample.category)) {
  test(`${category}: every sample is estimated within ±${BOUND_PERCENT} % of o200k_base`, () => {
    for (const { name, errorPercent } of members) {
      assert.ok(Math.abs(errorPercent) <= BOUND_PERCENT, `${name}: ${errorPercent} %`)
    }
  })
}

test('over the corpus the estimate errs upward, by a little', () => {
  const mean = samples.reduce((sum, { errorPercent }) => sum + errorPercent, 0) / samples.length
  assert.ok(mean >= 3 && mean <= 12, `mean error ${mean} %`)
  for (const { name, errorPercent } of samples) {
    assert.ok(errorPercent >= -3, `${name}: ${errorPercent} %`)
  }
})

function measureCorpus() {
  return readdirSync(CORPUS).map((name) => {
    const text = readFileSync(new URL(name, CORPUS), 'utf8')
    const errorPercent = 100 * (countTokens(text) / encode(text).length - 1)
    return { name, category: name.slice(0, name.indexOf('-')), errorPercent }
  })
}
