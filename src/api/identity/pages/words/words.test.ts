import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOfPortugal } from '../../../../../test/support/identity/assert-of-portugal.ts'
import { LANGUAGES, WORDS } from '../languages.ts'

type Entry = readonly [
  path: string,
  value: string | ((one: string & number, other: string) => string),
]

function listEntries(words: object, above = ''): Entry[] {
  return Object.entries(words).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? listEntries(value, `${above}${name}.`)
      : [[above + name, value] as Entry],
  )
}

const english = listEntries(WORDS.en)

for (const language of LANGUAGES) {
  const entries = listEntries(WORDS[language])

  test(`${language} says all that English says, and nothing else`, () => {
    assert.deepEqual(
      entries.map(([path]) => path).toSorted(),
      english.map(([path]) => path).toSorted(),
    )
  })

  test(`${language} leaves nothing empty, and uses what it is given`, () => {
    for (const [path, value] of entries) {
      const given = path === 'problems.tooOftenFor' ? 42 : 'given'
      const text = typeof value === 'string' ? value : value(given as string & number, 'given')
      assert.match(text, /\S/, path)
      assert.equal(text, text.trim(), path)
      if (typeof value !== 'string') assert.ok(text.includes(String(given)), path)
    }
  })
}

test('no sentence was left in English', () => {
  const portuguese = new Map(listEntries(WORDS.pt))
  const same = english
    .filter(([path, value]) => typeof value === 'string' && portuguese.get(path) === value)
    .map(([path]) => path)
  // Names, which are the same everywhere.
  assert.deepEqual(same, ['account.plans.LITE', 'account.plans.PRO', 'account.plans.ELITE'])
})

test('the Portuguese is that of Portugal', () => {
  for (const [path, value] of listEntries(WORDS.pt)) {
    const text = typeof value === 'string' ? value : value(1 as string & number, 'given')
    assertOfPortugal(text, path)
  }
})

test('a wait is told in the unit that suits it', () => {
  const { tooOftenFor } = WORDS.en.problems
  assert.match(tooOftenFor(1), / 1 second\./)
  assert.match(tooOftenFor(59), / 59 seconds\./)
  assert.match(tooOftenFor(60), / 1 minute\./)
  assert.match(tooOftenFor(61), / 2 minutes\./)
  assert.match(WORDS.pt.problems.tooOftenFor(900), / 15 minutos\./)
})
