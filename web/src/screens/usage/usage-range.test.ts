import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDays, findRangeProblem } from './usage-range.ts'
import { readUsageSearch } from './usage-search.ts'

const TODAY = '2026-03-15'

test('ranges end today, and have as many days as they say', () => {
  assert.deepEqual(findDays({ range: '7d' }, TODAY), { from: '2026-03-09', to: TODAY })
  assert.deepEqual(findDays({}, TODAY), { from: '2026-02-14', to: TODAY })
  assert.deepEqual(findDays({ range: '90d' }, TODAY), { from: '2025-12-16', to: TODAY })
})

test('months are those of the calendar', () => {
  assert.deepEqual(findDays({ range: 'month' }, TODAY), { from: '2026-03-01', to: TODAY })
  assert.deepEqual(findDays({ range: 'last-month' }, TODAY), {
    from: '2026-02-01',
    to: '2026-02-28',
  })
  assert.deepEqual(findDays({ range: 'last-month' }, '2026-01-31'), {
    from: '2025-12-01',
    to: '2025-12-31',
  })
})

test('a range of one’s own may say only one of its ends', () => {
  const days = { from: '2026-01-05', to: '2026-01-06' }
  assert.deepEqual(findDays({ range: 'custom', ...days }, TODAY), days)
  assert.deepEqual(findDays({ range: 'custom', from: '2026-03-01' }, TODAY), {
    from: '2026-03-01',
    to: TODAY,
  })
})

test('an address that makes no sense is read as one that says nothing', () => {
  const given = { range: 'ever', from: '2026-02-30', to: 5, key: 'x'.repeat(101), show: ['cost'] }
  assert.deepEqual(readUsageSearch(given), {})
  assert.deepEqual(readUsageSearch({ range: 'month', key: 'key_1', show: 'out', x: '1' }), {
    range: 'month',
    key: 'key_1',
    show: 'out',
  })
})

test('days that the service would refuse are not asked for', () => {
  assert.equal(findRangeProblem({ from: TODAY, to: TODAY }), undefined)
  assert.equal(findRangeProblem({ from: TODAY, to: '2026-03-14' }), 'backwards')
  assert.equal(findRangeProblem({ from: '2025-01-01', to: '2026-02-04' }), undefined)
  assert.equal(findRangeProblem({ from: '2025-01-01', to: '2026-02-05' }), 'tooMany')
})
