import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, LimitedError, RefusedError, UnexpectedAnswerError } from 'parley-client'
import { Problem } from '../../api/client.ts'
import { toProblem } from './to-problem.ts'

test('a refusal keeps all that is known of it', () => {
  const told = { status: 429, code: 'rate_limit_rpm', requestId: 'req_1', retryAfter: 17 }
  const problem = toProblem(new LimitedError('Too many.', { ...told, limits: undefined }))
  assert.ok(problem instanceof Problem)
  const { code, message, status, requestId, retryAfterS } = problem
  assert.deepEqual(
    [code, message, status, requestId, retryAfterS],
    ['rate_limit_rpm', 'Too many.', 429, 'req_1', 17],
  )
})

test('what is no answer of ours, none at all and half of one are told apart', () => {
  const proxy = { status: 502, code: '', requestId: undefined, retryAfter: undefined }
  for (const [error, code] of [
    [new RefusedError('The answer was 502.', { ...proxy, limits: undefined }), 'unreadable'],
    [new UnexpectedAnswerError(new Response('<h1>')), 'unreadable'],
    [new ConnectionError('away', undefined), 'offline'],
    [new ConnectionError('lost', 'req_1'), 'stream_broken'],
  ] as const) {
    const problem = toProblem(error)
    assert.ok(problem instanceof Problem)
    assert.equal(problem.code, code)
  }
  const bug = new TypeError('a is not a function')
  assert.equal(toProblem(bug), bug)
})
