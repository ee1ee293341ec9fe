import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLimitChanges } from './read-limit-changes.ts'

test('only what was edited is sent', () => {
  assert.deepEqual(readLimitChanges({}), {})
  assert.deepEqual(readLimitChanges({ minTier: '3' }), { min_tier: 3 })
  assert.deepEqual(readLimitChanges({ plan: 'PRO' }), { plan: 'PRO' })
})

test('an empty ceiling is none, and one of nothing is one', () => {
  const withCeiling = (ceiling: string) => readLimitChanges({ ceiling })
  assert.deepEqual(withCeiling(' '), { daily_ceiling_eur: null })
  assert.deepEqual(withCeiling('0'), { daily_ceiling_eur: '0' })
  assert.deepEqual(withCeiling('0.000000001'), { daily_ceiling_eur: '0.000000001' })
  for (const wrong of ['5,00', '-1', 'none', '1.0000000001']) {
    assert.equal(withCeiling(wrong), undefined, wrong)
  }
})
