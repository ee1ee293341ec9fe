import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { sql } from 'kysely'
import type { Receipt, Verification } from '#api/contract/index.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { startService, type Service } from '../support/service.ts'
import { runCommand } from './run-command.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const credit = (account: string, amount: string, reference: string) =>
  ['credit', account, amount, '--kind', 'deposit'].concat('--reference', reference)

test('credit books a deposit and shows what was booked', async () => {
  const { accountId } = await openAccount(service)
  const { code, stdout, stderr } = await runCommand(service, credit(accountId, '20', 'invoice-1'))
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    [
      `account    ${accountId}`,
      'kind       deposit',
      'amount     20.00 €',
      'reference  invoice-1',
      'booked     2026-11-21T12:00:00Z',
      '',
    ].join('\n'),
  )
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.deepEqual([json.balance_eur, json.tier], ['21.00', 2])
})

test('credit with a reference that was used books nothing and says so; with other values it fails', async () => {
  const { accountId } = await openAccount(service)
  const first = await runCommand(service, [...credit(accountId, '3.5', 'invoice-2'), '--json'])
  const again = await runCommand(service, credit(accountId, '3.50', 'invoice-2'))
  assert.equal(again.code, 0)
  assert.match(again.stderr, /had been booked before: nothing was booked now/)
  const repeated = await runCommand(service, [...credit(accountId, '3.50', 'invoice-2'), '--json'])
  assert.deepEqual(repeated.json, first.json)
  const other = await runCommand(service, credit(accountId, '4.00', 'invoice-2'))
  assert.deepEqual([other.code, other.stdout], [1, ''])
  assert.match(other.stderr, /^reference: .*invoice-2.* \[conflict\]\n$/)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.equal(json.balance_eur, '4.50')
})

test('credit refuses what is no amount before it asks the service', async () => {
  for (const amount of ['0.0123456789', '-5', '1,50', '1e3', '']) {
    const { code, stderr } = await runCommand(undefined, credit('acc_x', amount, 'r'))
    assert.equal(code, 2, amount)
    assert.match(stderr, /Write euros with at most nine decimals, such as 20 or 0\.50\./)
  }
  const { accountId } = await openAccount(service)
  const zero = await runCommand(service, credit(accountId, '0', 'r'))
  assert.equal(zero.code, 1)
  assert.match(zero.stderr, /more than 0 \[invalid_request\]/)
  const gift = ['credit', accountId, '5', '--kind', 'gift', '--reference', 'r']
  assert.equal((await runCommand(service, gift)).code, 2)
})

test('receipts shows what each request cost, and --all follows every page', async () => {
  const { accountId, key } = await openAccount(service)
  const none = await runCommand(service, ['receipts', accountId])
  assert.equal(none.stdout, 'This account has no receipts.\n')
  for (const brand of ['air', 'prime', 'nova']) await chat(service, key, brand, hello)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts`)
  const { stdout, stderr } = await runCommand(service, ['receipts', accountId])
  const [header, ...rows] = stdout.trimEnd().split('\n')
  assert.equal(stderr, '')
  assert.match(header ?? '', /^TIME +BRAND +PROMPT +COMPLETION .*COST € .* REQUEST$/)
  assert.equal(rows.length, 3)
  assert.match(rows[0] ?? '', /^2026-11-21T12:00:00Z  nova +\d+ +\d+  upstream +0\.\d+ +0\.00 /)
  assert.ok(rows[0]?.endsWith(json.data[0].request_id))

  const first = await runCommand(service, ['receipts', accountId, '--limit', '2', '--json'])
  assert.deepEqual((first.json as { data: Receipt[] }).data, json.data.slice(0, 2))
  const all = ['receipts', accountId, '--limit', '1', '--all', '--json']
  assert.deepEqual((await runCommand(service, all)).json, json)
})

test('receipts refuses an unknown account and a page that is too long', async () => {
  const unknown = await runCommand(service, ['receipts', 'acc_x'])
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'There is no account with this id. [not_found]\n'],
  )
  for (const limit of ['0', '201', 'ten']) {
    assert.equal((await runCommand(service, ['receipts', 'a', '--limit', limit])).code, 2)
  }
})

test('ledger verify says that the books add up, and fails with each discrepancy when not', async () => {
  const { accountId } = await openAccount(service)
  const good = await runCommand(service, ['ledger', 'verify'])
  assert.equal(good.code, 0)
  assert.match(good.stdout, /^The books add up \(transfers: \d+, accounts: \d+\)\.\n$/)
  await sql`update balance set balance_nano = balance_nano + 1 where account_id = ${accountId}`.execute(
    service.store.db,
  )
  const { code, stdout, stderr } = await runCommand(service, ['ledger', 'verify'])
  assert.equal(code, 1)
  assert.match(stdout, new RegExp(`^balance of ${accountId} is 1000000001, .* 1000000000\n$`))
  assert.match(stderr, /^The books do not add up\./)
  const asJson = await runCommand(service, ['ledger', 'verify', '--json'])
  assert.equal(asJson.code, 1)
  const { ok, discrepancies } = asJson.json as Verification
  assert.deepEqual([ok, discrepancies.length], [false, 1])
})
