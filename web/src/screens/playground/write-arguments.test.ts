import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeArguments } from './write-arguments.ts'

test('arguments are laid out, and left alone where they are no JSON', () => {
  assert.equal(writeArguments('{"city":"Lisboa"}'), '{\n  "city": "Lisboa"\n}')
  assert.equal(writeArguments('{"city":'), '{"city":')
})
