import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKeyForm, type KeyForm } from './key-form.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000
const FORM: KeyForm = { name: 'production', expiry: 'never', day: '', ceiling: '' }
const read = (changes: Partial<KeyForm>) => readKeyForm({ ...FORM, ...changes }, NOW)

test('a key without limits is asked for as one', () => {
  const none = { name: 'production', expires_at: null, daily_ceiling_eur: null }
  assert.deepEqual(read({ name: '  production ' }), none)
})

test('an expiry that is kept is not sent', () => {
  assert.deepEqual(read({ expiry: 'keep' }), { name: 'production', daily_ceiling_eur: null })
})

test('a key ends after so many days, or with the end of a UTC day', () => {
  const ends = (changes: Partial<KeyForm>) => {
    const wish = read(changes)
    return typeof wish === 'string' ? wish : wish.expires_at
  }
  assert.equal(ends({ expiry: '30' }), NOW + 30 * DAY_MS)
  assert.equal(ends({ expiry: 'year' }), NOW + 365 * DAY_MS)
  assert.equal(ends({ expiry: 'date', day: '2026-11-21' }), Date.UTC(2026, 10, 22))
  assert.equal(ends({ expiry: 'date', day: '2026-11-20' }), 'day')
  assert.equal(ends({ expiry: 'date', day: '' }), 'day')
  assert.equal(ends({ expiry: 'date', day: '2026-02-30' }), 'day')
})

test('what cannot be asked is told by its field', () => {
  assert.equal(read({ name: ' ' }), 'name')
  assert.equal(read({ name: 'x'.repeat(101) }), 'name')
  assert.notEqual(read({ name: '🙂'.repeat(100) }), 'name')
  assert.equal(read({ ceiling: 'five' }), 'ceiling')
  assert.equal(read({ ceiling: '-1' }), 'ceiling')
  const wish = read({ ceiling: '5,50' })
  assert.ok(typeof wish !== 'string')
  assert.equal(wish.daily_ceiling_eur, '5.50')
})
