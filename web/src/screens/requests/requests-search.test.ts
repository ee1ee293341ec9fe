import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRequestsSearch } from './requests-search.ts'

test('an address filters by what there is, and by nothing else', () => {
  const search = {
    model: 'nova',
    key: 'key_1',
    ended: 'client_left',
    from: '2026-11-01',
    to: '2026-11-21',
    request: 'req_1',
  }
  assert.deepEqual(readRequestsSearch({ ...search, cursor: 'x' }), search)
  assert.deepEqual(
    readRequestsSearch({ model: 'gpt', key: 'a\0', ended: '', from: '2026-13-01', request: {} }),
    {},
  )
  // The router reads digits as a number.
  assert.deepEqual(readRequestsSearch({ request: 42 }), { request: '42' })
})
