import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stackDays, sumByModel } from './stack-days.ts'
import { writeUsageCsv } from './write-usage-csv.ts'

const row = (day: string, brand: string, cost: string, requests = 1) => ({
  day,
  brand,
  requests,
  prompt_tokens: 10 * requests,
  completion_tokens: 5 * requests,
  cost_eur: cost,
})
const days = [
  row('2026-11-19', 'prime', '0.10'),
  row('2026-11-19', 'air', '0.000000001', 3),
  row('2026-11-21', 'prime', '0.20', 2),
]

test('models are summed to the last decimal, in the order of their bars', () => {
  assert.deepEqual(sumByModel(days), [
    {
      brand: 'air',
      requests: 3,
      prompt_tokens: 30,
      completion_tokens: 15,
      cost_eur: '0.000000001',
    },
    { brand: 'prime', requests: 3, prompt_tokens: 30, completion_tokens: 15, cost_eur: '0.30' },
  ])
  const others = sumByModel([
    row('d', 'zeta', '1.00'),
    row('d', 'beta', '1.00'),
    row('d', 'nova', '1.00'),
  ])
  assert.deepEqual(
    others.map(({ brand }) => brand),
    ['nova', 'beta', 'zeta'],
  )
})

test('each day of the range has a stack, with use or without', () => {
  const usage = { from: '2026-11-19', to: '2026-11-21', days }
  const stacks = stackDays(usage, sumByModel(days), 'cost', 'en-GB')
  assert.deepEqual(stacks, [
    {
      day: '2026-11-19',
      parts: [
        { series: 'air', value: 0.000_000_001, text: '€0.000000001' },
        { series: 'prime', value: 0.1, text: '€0.10' },
      ],
      total: '€0.100000001',
    },
    { day: '2026-11-20', parts: [], total: '€0.00' },
    {
      day: '2026-11-21',
      parts: [{ series: 'prime', value: 0.2, text: '€0.20' }],
      total: '€0.20',
    },
  ])
  const totals = (measure: 'in' | 'out' | 'requests') =>
    stackDays(usage, sumByModel(days), measure, 'en-GB').map(({ total }) => total)
  assert.deepEqual(totals('requests'), ['4', '0', '2'])
  assert.deepEqual(totals('in'), ['40', '0', '20'])
  assert.deepEqual(totals('out'), ['20', '0', '10'])
})

test('the file has what the table has, to the last decimal', () => {
  assert.equal(
    writeUsageCsv(days),
    'day,model,requests,prompt_tokens,completion_tokens,cost_eur\r\n' +
      '2026-11-19,prime,1,10,5,0.10\r\n' +
      '2026-11-19,air,3,30,15,0.000000001\r\n' +
      '2026-11-21,prime,2,20,10,0.20\r\n',
  )
})
