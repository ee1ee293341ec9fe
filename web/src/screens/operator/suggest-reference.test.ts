import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestNewReference, suggestReference } from './suggest-reference.ts'

test('a reference says what it is for and when, and is another one each time', () => {
  const now = new Date('2026-11-21T23:59:59Z')
  assert.equal(
    suggestReference('deposit', now, new Uint8Array([0, 10, 255, 16])),
    'deposit-2026-11-21-000aff10',
  )
  assert.notEqual(suggestNewReference('refund'), suggestNewReference('refund'))
})
