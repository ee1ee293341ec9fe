import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMismatch } from './match-output.ts'

for (const [language, expected, printed, mismatch] of [
  ['text', 'a b', ' a\n b\n', undefined],
  ['text', 'a b', 'ab', 'a b'],
  ['text', '', '', undefined],
  ['text', '', 'something', ''],
  ['text', 'a … c', 'a b c', undefined],
  ['text', 'a…c', 'ac', undefined],
  ['text', 'a … c', 'a b c d', 'c'],
  ['text', 'a …', 'b a', 'a'],
  ['text', '… b … c', 'c b', 'c'],
  ['text', '… b … d …', 'a b c', 'd'],
  ['text', 'ab … bc', 'abc', 'bc'],
  ['text', '…', 'anything', undefined],
  ['json', '{ "id": "…", "n": 1 }', '{"id":"x","n":1}', undefined],
  ['json', '{ "n": 1 }', '{"n":12}', '{"n":1}'],
] as const) {
  test(`${JSON.stringify(printed)} is ${mismatch === undefined ? '' : 'not '}${expected} in ${language}`, () => {
    assert.equal(findMismatch(language, expected, printed), mismatch)
  })
}
