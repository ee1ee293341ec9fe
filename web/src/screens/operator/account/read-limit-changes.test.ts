import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account } from '../account-queries.ts'
import { limitsOf, readLimitChanges } from './read-limit-changes.ts'

const account: Account = {
  id: 'acc_1',
  email: 'ana@example.com',
  name: null,
  tier: 2,
  min_tier: 1,
  plan: 'FREE',
  balance_eur: '1.00',
  held_eur: '0.00',
  deposits_eur: '0.00',
  spent_today_eur: '0.00',
  daily_ceiling_eur: '5.00',
  suspended: false,
  created_at: 0,
}
const asItIs = limitsOf(account)

test('only what was changed is sent', () => {
  assert.deepEqual(readLimitChanges(account, asItIs), {})
  assert.deepEqual(readLimitChanges(account, { ...asItIs, minTier: '3' }), { min_tier: 3 })
  assert.deepEqual(readLimitChanges(account, { ...asItIs, plan: 'PRO' }), { plan: 'PRO' })
})

test('an empty ceiling is none, and one of nothing is one', () => {
  const withCeiling = (ceiling: string) => readLimitChanges(account, { ...asItIs, ceiling })
  assert.deepEqual(withCeiling(' '), { daily_ceiling_eur: null })
  assert.deepEqual(withCeiling('0'), { daily_ceiling_eur: '0' })
  assert.deepEqual(withCeiling('0.000000001'), { daily_ceiling_eur: '0.000000001' })
  for (const wrong of ['5,00', '-1', 'none', '1.0000000001']) {
    assert.equal(withCeiling(wrong), undefined, wrong)
  }
})
