import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, isDay, listDays, utcDay } from './utc-days.ts'

test('days are UTC days, over the ends of months and years', () => {
  assert.equal(utcDay(new Date('2026-12-31T23:59:59.999Z')), '2026-12-31')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.deepEqual(listDays('2028-02-28', '2028-03-01'), ['2028-02-28', '2028-02-29', '2028-03-01'])
  assert.deepEqual(listDays('2026-11-22', '2026-11-21'), [])
  assert.equal(listDays('2026-01-01', '2026-12-31').length, 365)
})

test('a day is one that there is', () => {
  assert.ok(isDay('2028-02-29'))
  for (const text of ['2026-02-30', '2026-2-3', 'yesterday', '', undefined, 20_261_121]) {
    assert.equal(isDay(text), false, String(text))
  }
})
