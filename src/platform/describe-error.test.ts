import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeError } from './describe-error.ts'

test('an error is told by its name, message, code, frames and cause', () => {
  const cause = Object.assign(new TypeError('inner'), { code: 'E_INNER' })
  const told = describeError(new Error('outer', { cause }))
  assert.equal(told['name'], 'Error')
  assert.equal(told['message'], 'outer')
  assert.match(String(told['frames']), /^at .*describe-error\.test\.ts/)
  assert.deepEqual(
    { ...(told['cause'] as object), frames: undefined },
    { name: 'TypeError', message: 'inner', code: 'E_INNER', frames: undefined },
  )
})

test('what quotes a conversation is not told', () => {
  const parse = (): unknown => JSON.parse('{"secret')
  assert.throws(parse, (error) => !JSON.stringify(describeError(error)).includes('secret'))
  assert.deepEqual(describeError('secret'), { name: 'string' })
})

test('however long an error is, it is a few lines in the log', () => {
  const endless = new Error('x'.repeat(1_000_000))
  endless.stack = `Error\n${'    at somewhere (file:1:1)\n'.repeat(10_000)}`
  endless.cause = endless
  assert.ok(JSON.stringify(describeError(endless)).length < 8_000)
})
