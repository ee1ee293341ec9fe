import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../api/client.ts'
import { sayProblem } from './say-problem.ts'
import { playgroundWords } from './words.ts'

const { en } = playgroundWords

test('a refusal is said in words, with its way out and all that is known of it', () => {
  const told = { status: 429, requestId: 'req_1', retryAfterS: 17 }
  const said = sayProblem(new Problem('rate_limit_tpm', 'Too many.', told), en)
  assert.deepEqual([said.code, said.wayOut], ['rate_limit_tpm', 'limits'])
  assert.ok(said.problem instanceof Problem)
  assert.equal(said.problem.message, 'Too many tokens in this minute. Try again in 17 s.')
  assert.deepEqual([said.problem.requestId, said.problem.status], ['req_1', 429])
})

test('what the service says best is left in its words', () => {
  const problem = new Problem('invalid_request', 'messages[0].content is too long.')
  assert.deepEqual(sayProblem(problem, en), { problem, code: 'invalid_request', wayOut: undefined })
  const bug = new TypeError('a is not a function')
  assert.deepEqual(sayProblem(bug, en), { problem: bug, code: undefined, wayOut: undefined })
})
