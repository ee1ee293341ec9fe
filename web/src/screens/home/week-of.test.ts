import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spentByDay, weekUntil } from './week-of.ts'

test('a week ends with the UTC day that it is, and has seven days', () => {
  const week = weekUntil(Date.UTC(2026, 2, 3, 0, 0, 1))
  assert.deepEqual(week, { from: '2026-02-25', to: '2026-03-03' })
})

test('what models cost on a day is added up exactly, and days without use cost nothing', () => {
  const used = { requests: 1, prompt_tokens: 1, completion_tokens: 1, written_off_eur: '0.00' }
  const days = [
    { day: '2026-03-01', brand: 'air', ...used, cost_eur: '0.100000001' },
    { day: '2026-03-01', brand: 'nova', ...used, cost_eur: '0.20' },
  ]
  assert.deepEqual(spentByDay({ from: '2026-02-28', to: '2026-03-01', days }), [
    { day: '2026-02-28', costEur: '0.00' },
    { day: '2026-03-01', costEur: '0.300000001' },
  ])
})
