import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../api/client.ts'
import { problemWords } from './problem-words.ts'
import { sortProblem } from './sort-problem.ts'

const { en, pt } = problemWords
const sort = (code: string) =>
  sortProblem(new Problem(code, 'Its words', { requestId: 'req_1' }), en)

test('what is about a field is told beside it', () => {
  assert.deepEqual(sort('INVALID_PASSWORD').fields, { password: en.wrongPassword })
  assert.deepEqual(sort('wrong_password').fields, { password: en.wrongPassword })
  assert.deepEqual(sort('PASSWORD_COMPROMISED').fields, { newPassword: en.commonPassword })
  assert.equal(sort('INVALID_CODE').note, undefined)
})

test('what is about none is a note in our words, with the id of its request', () => {
  const { note, fields } = sort('MAIL_UNAVAILABLE')
  assert.ok(note instanceof Problem)
  assert.deepEqual([note.message, note.requestId, fields], [en.mailUnavailable, 'req_1', {}])
  const cancelled = sortProblem(new DOMException('Cancelled.', 'NotAllowedError'), pt)
  assert.equal(cancelled.note?.message, pt.passkeyCancelled)
})

test('what we have no words for is told as it is', () => {
  const problem = new Problem('toString', 'Something new.')
  assert.equal(sortProblem(problem, en).note, problem)
  const bug = new TypeError('a is not a function')
  assert.equal(sortProblem(bug, en).note, bug)
  assert.deepEqual(sortProblem(null, en), { fields: {}, note: undefined, mustSignIn: false })
})

test('a session that is too old leads to the sign-in', () => {
  for (const code of ['sign_in_again', 'SESSION_NOT_FRESH']) {
    assert.deepEqual(sort(code), { fields: {}, note: undefined, mustSignIn: true })
  }
})
