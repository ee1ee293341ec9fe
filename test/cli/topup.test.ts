import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { BillingDocument, OpenedTopup, Reconciliation, Topup } from '#api/contract/index.ts'
import type { SandboxAct } from '#payments/index.ts'
import type { PaymentTables } from '../../src/payments/tables.ts'
import { openAccount, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { runCommand } from './run-command.ts'

const service = await serveFor({ after })

async function play(url: string, act: SandboxAct): Promise<void> {
  const sessionId = new URL(url).pathname.split('/').at(-1) ?? ''
  await service.app.payments?.sandbox?.play(sessionId, act)
}

async function openTopup(amount = '20') {
  const { accountId } = await openAccount(service)
  const { json } = await runCommand(service, ['topup', 'create', accountId, amount, '--json'])
  const { id, checkout_url: url } = json as OpenedTopup
  return { accountId, id, url }
}

test('topup create prints the address of the checkout alone, and who pays there is credited', async () => {
  const { accountId } = await openAccount(service)
  const { code, stdout, stderr } = await runCommand(service, ['topup', 'create', accountId, '20'])
  assert.equal(code, 0)
  assert.match(stdout, /^http:\/\/\S+\/cs_test_top_\S+\n$/)
  assert.match(stderr, /^Top-up top_\S+: 20\.00 € are paid there\. It is test money: .*\n$/)
  await play(stdout.trim(), 'pay')
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  assert.equal(json.balance_eur, '21.00')
})

test('topup create takes 10, 20, 50 and 100, and refuses all else before it asks the service', async () => {
  for (const amount of ['10', '50.0', '100.00']) assert.ok((await openTopup(amount)).url)
  for (const amount of ['5', '1000', '20.01', '-20', '2e1', '']) {
    const { code, stderr } = await runCommand(undefined, ['topup', 'create', 'acc_x', amount])
    assert.equal(code, 2, amount)
    assert.match(stderr, /Give 10, 20, 50 or 100\./)
  }
  const unknown = await runCommand(service, ['topup', 'create', 'acc_x', '20'])
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /^There is no account .*\[not_found\]\n$/)
})

test("topup list shows an account's top-ups, newest first, by its id or its person's address", async () => {
  const { accountId, id } = await openTopup('50')
  const { json: account } = await operate(service, 'GET', `/accounts/${accountId}`)
  const other = await runCommand(service, ['topup', 'create', accountId, '10', '--json'])
  for (const named of [accountId, account.email]) {
    const { stdout } = await runCommand(service, ['topup', 'list', '--account', named])
    const [header, ...rows] = stdout.trimEnd().split('\n')
    assert.match(header ?? '', /^ID +ACCOUNT +AMOUNT € +STATE +REFUNDED € +DISPUTE +PROVIDER/)
    const ids = rows.map((row) => row.split(' ', 1)[0])
    assert.deepEqual(ids, [(other.json as Topup).id, id])
  }
  const page = ['topup', 'list', '--account', accountId, '--limit', '1']
  assert.match((await runCommand(service, page)).stderr, /--all reads all of them/)
  const all = await runCommand(service, [...page, '--all', '--json'])
  assert.equal((all.json as { data: Topup[] }).data.length, 2)
  const none = await runCommand(service, ['topup', 'list', '--account', 'acc_x'])
  assert.deepEqual([none.code, none.stdout], [0, 'No top-ups.\n'])
})

test('topup show has the documents that were issued', async () => {
  const { id, url } = await openTopup()
  const before = await runCommand(service, ['topup', 'show', id])
  assert.match(before.stdout, /^state +open$/m)
  assert.match(before.stdout, /\n\nNothing has been issued for it\.\n$/)
  await play(url, 'pay')
  await play(url, 'refund_half')
  const { stdout } = await runCommand(service, ['topup', 'show', id])
  assert.match(stdout, /^refunded +10\.00 €$/m)
  assert.match(stdout, /^R-2026-\d{6} +receipt +20\.00 /m)
  assert.match(stdout, /^C-2026-\d{6} +credit_note +10\.00 /m)
  const { json } = await runCommand(service, ['topup', 'show', id, '--json'])
  const { documents, ...topup } = json as Topup & { documents: BillingDocument[] }
  assert.deepEqual([topup.id, topup.state, documents.length], [id, 'paid', 2])
  const unknown = await runCommand(service, ['topup', 'show', 'top_x'])
  assert.match(unknown.stderr, /^There is no top-up .*\[not_found\]\n$/)
})

test('topup refund gives a part back, and the service says what it cannot', async () => {
  const { id, url } = await openTopup()
  const refund = (amount: string, reference: string) =>
    runCommand(service, ['topup', 'refund', id, amount, '--reference', reference])
  assert.match((await refund('5', 'early')).stderr, /^This top-up was not paid\. \[conflict\]\n$/)
  await play(url, 'pay')
  const { code, stdout, stderr } = await refund('5', 'ticket-1')
  assert.equal(code, 0)
  assert.match(stdout, /^refunded +5\.00 €$/m)
  assert.match(stderr, /^Asked for: /)
  assert.match((await refund('15.01', 'ticket-2')).stderr, /more than is left .*\n$/)
  assert.equal((await refund('five', 'ticket-3')).code, 2)
  const nameless = await runCommand(undefined, ['topup', 'refund', id, '5'])
  assert.deepEqual([nameless.code, /--reference/.test(nameless.stderr)], [2, true])
})

test('payments reconcile fails with a sentence for each difference, and not without any', async () => {
  const { id, url } = await openTopup()
  await play(url, 'pay')
  const agreed = await runCommand(service, ['payments', 'reconcile', '--days', '7'])
  assert.deepEqual([agreed.code, agreed.stderr], [0, ''])
  assert.equal(agreed.stdout, 'Provider and books agree since 2026-11-14T12:00:00Z.\n')
  const setState = (state: 'open' | 'paid') =>
    withTables<PaymentTables>(service.store.db)
      .updateTable('topup')
      .set({ state })
      .where('id', '=', id)
      .execute()
  await setState('open')
  const { code, stdout, stderr } = await runCommand(service, ['payments', 'reconcile'])
  assert.equal(code, 1)
  assert.match(stdout, new RegExp(`^payment \\S+ succeeded, its top-up ${id} is open .*\n$`))
  assert.match(stderr, /^Provider and books do not agree\./)
  const asJson = await runCommand(service, ['payments', 'reconcile', '--json'])
  const { ok, differences } = asJson.json as Reconciliation
  assert.deepEqual([asJson.code, ok, differences.length], [1, false, 1])
  await setState('paid')
  for (const days of ['0', '400', 'all']) {
    assert.equal((await runCommand(undefined, ['payments', 'reconcile', '--days', days])).code, 2)
  }
})
