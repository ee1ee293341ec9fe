import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseEuros } from '#platform/money.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { runCommand } from './run-command.ts'

const service = await serveFor({ after })
const DAY_MS = 86_400_000

/** Cells without quotes in them are all that the service writes here. */
function readCsv(text: string): string[][] {
  assert.ok(text.endsWith('\r\n'))
  return text
    .slice(0, -2)
    .split('\r\n')
    .map((line) => line.split(','))
}

test('the books are written as CSV, over all pages, and agree with the balances', async () => {
  const opened = await openAccount(service, { depositEur: '20' })
  const { accountId, key } = opened
  for (let count = 0; count < 210; count += 1) {
    const reference = `gift-${count}`
    const body = { kind: 'grant', amount_eur: '0.000000001', reference }
    await operate(service, 'POST', `/accounts/${accountId}/credits`, body)
  }
  await chat(service, key, 'nova', hello)
  service.clock.advance(DAY_MS)
  await chat(service, key, 'nova', hello)
  const { code, stdout, stderr } = await runCommand(service, ['ledger', 'export'])
  assert.equal(code, 0)
  const [header, ...rows] = readCsv(stdout)
  assert.deepEqual(header, 'date,kind,debit,credit,account,amount_eur,reference'.split(','))
  assert.equal(stderr, `Wrote ${rows.length} entries.\n`)
  assert.equal(rows.length, 1 + 1 + 210 + 2)
  const deposit = rows.find(([, kind]) => kind === 'deposit')
  assert.deepEqual(deposit?.slice(0, 6), [
    '2026-11-21',
    'deposit',
    'book:cash',
    accountId,
    accountId,
    '20.00',
  ])
  assert.deepEqual(rows.at(-1)?.slice(0, 5), [
    '2026-11-22',
    'charges',
    'accounts',
    'book:revenue',
    '',
  ])
  const sum = rows.reduce((left, [, kind, , , , amount = '']) => {
    const nano = BigInt(parseEuros(amount) ?? 0)
    return kind === 'charges' ? left - nano : left + nano
  }, 0n)
  const account = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  assert.equal(sum, BigInt(parseEuros(account.balance_eur) ?? 0))

  const second = ['ledger', 'export', '--from', '2026-11-22', '--to', '2026-11-22']
  assert.deepEqual(readCsv((await runCommand(service, second)).stdout), [header, rows.at(-1)])
  const none = await runCommand(service, ['ledger', 'export', '--from', '2027-01-01'])
  assert.deepEqual(readCsv(none.stdout), [header])
})

test('a day that there is not, and a cursor that no page gave, are refused', async () => {
  for (const text of ['yesterday', '21.11.2026', '2026-1-1']) {
    assert.equal((await runCommand(undefined, ['ledger', 'export', '--from', text])).code, 2)
  }
  const { code, stderr } = await runCommand(service, ['ledger', 'export', '--to', '2026-02-30'])
  assert.equal(code, 1)
  assert.match(stderr, /^to: must be a day that there is/)
  for (const query of [
    'cursor=x',
    'cursor=1.AA',
    'cursor=999999999999999.eA',
    'from=2026',
    'limit=201',
  ]) {
    const { status, json } = await operate(service, 'GET', `/ledger/transfers?${query}`)
    assert.equal(status, 400, query)
    assert.match(json.error.message, new RegExp(`^${query.split('=')[0]}: `))
  }
})
