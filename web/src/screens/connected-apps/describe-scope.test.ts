import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeScope } from './describe-scope.ts'
import { connectedAppsWords } from './words.ts'

test('a scope is told in words, and one that nobody has words for by its name', () => {
  assert.equal(describeScope('email', connectedAppsWords.en), 'Your e-mail address')
  assert.equal(describeScope('plano', connectedAppsWords.pt), 'O seu plano')
  assert.equal(describeScope('toString', connectedAppsWords.en), 'Something it calls “toString”')
})
