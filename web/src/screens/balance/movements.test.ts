import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMovementsCsv } from './movements.ts'

test('the file has each movement to the last decimal, and what it has no figure for is empty', () => {
  const at = Date.UTC(2026, 10, 21, 12)
  assert.equal(
    writeMovementsCsv([
      {
        kind: 'usage',
        amount_eur: '-0.00000026',
        day: '2026-11-21',
        at: null,
        reference: null,
        topup_id: null,
        requests: 3,
      },
      {
        kind: 'grant',
        amount_eur: '1.00',
        day: '2026-11-21',
        at,
        reference: 'welcome, "Ana"',
        topup_id: null,
        requests: null,
      },
    ]),
    'day,time_utc,kind,amount_eur,requests,reference\r\n' +
      '2026-11-21,,usage,-0.00000026,3,\r\n' +
      '2026-11-21,2026-11-21T12:00:00.000Z,grant,1.00,,"welcome, ""Ana"""\r\n',
  )
})
