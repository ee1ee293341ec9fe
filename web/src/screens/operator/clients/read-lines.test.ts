import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLines } from './read-lines.ts'

test('each line is one address, however it was pasted', () => {
  assert.deepEqual(readLines(' https://a.example/x \r\n\r\n https://b.example/y\n'), [
    'https://a.example/x',
    'https://b.example/y',
  ])
  assert.deepEqual(readLines(' \n'), [])
})
