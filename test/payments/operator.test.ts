import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { PaymentTables } from '../../src/payments/tables.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after })

async function openTopup(accountId: string, amountEur = '20.00') {
  const { status, json } = await operate(service, 'POST', `/accounts/${accountId}/topups`, {
    amount_eur: amountEur,
  })
  assert.equal(status, 201)
  const sessionId = new URL(json.checkout_url).pathname.split('/').at(-1) ?? ''
  return { id: json.id, sessionId, json }
}

async function play(sessionId: string, act: 'pay' | 'refund_half' | 'dispute'): Promise<void> {
  await service.app.payments?.sandbox?.play(sessionId, act)
}

test('a top-up that is paid raises balance, deposits and tier, and has a receipt', async () => {
  const { accountId, key } = await openAccount(service)
  const { id, sessionId, json } = await openTopup(accountId)
  assert.deepEqual([json.state, json.test, json.provider], ['open', true, 'sandbox'])
  await play(sessionId, 'pay')
  const account = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  assert.deepEqual([account.balance_eur, account.deposits_eur, account.tier], ['21.00', '20.00', 2])
  const answer = await chat(service, key, 'air', hello)
  assert.equal(answer.headers.get('x-ratelimit-limit'), '100')
  const documents = (await operate(service, 'GET', `/topups/${id}/documents`)).json.data
  assert.deepEqual(
    documents.map(({ kind, amount_eur: amountEur }) => [kind, amountEur]),
    [['receipt', '20.00']],
  )
})

test('10, 20, 50 and 100 € can be paid in, and nothing else', async () => {
  const { accountId } = await openAccount(service)
  for (const amount of ['10.00', '20.00', '50.00', '100.00']) await openTopup(accountId, amount)
  for (const amount of ['0.00', '5.00', '10', '10.01', '1000.00', '-10.00', 'ten']) {
    const body = { amount_eur: amount }
    const answer = await operate(service, 'POST', `/accounts/${accountId}/topups`, body)
    assertRefused(answer, 'invalid_request')
    assert.match(answer.json.error.message, /^amount_eur: /)
  }
})

test('a refund is asked of the provider, and the books follow', async () => {
  const { accountId } = await openAccount(service)
  const { id, sessionId } = await openTopup(accountId)
  const refund = (amountEur: string, reference: string) =>
    operate(service, 'POST', `/topups/${id}/refunds`, { amount_eur: amountEur, reference })
  assertRefused(await refund('5.00', 'too early'), 'conflict')
  await play(sessionId, 'pay')
  assertRefused(await refund('20.01', 'too much'), 'invalid_request')
  assertRefused(await refund('0.001', 'no cents'), 'invalid_request')
  const asked = await refund('5.00', 'ticket-1')
  assert.deepEqual([asked.status, asked.json.refunded_eur], [202, '5.00'])
  const account = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  assert.deepEqual([account.balance_eur, account.deposits_eur], ['16.00', '15.00'])
  const { data } = (await operate(service, 'GET', '/audit')).json
  assert.ok(
    data.some(({ action, actor }) => action === 'topup.refund_asked' && actor === 'operator'),
  )
})

test('what was paid and nobody credited is named by the comparison', async () => {
  const { accountId } = await openAccount(service)
  const { id, sessionId } = await openTopup(accountId, '50.00')
  const before = (await operate(service, 'GET', '/payments/reconcile')).json
  assert.deepEqual([before.ok, before.differences], [true, []])
  await play(sessionId, 'pay')
  assert.equal((await operate(service, 'GET', '/payments/reconcile')).json.ok, true)
  await withTables<PaymentTables>(service.store.db)
    .updateTable('topup')
    .set({ state: 'open' })
    .where('id', '=', id)
    .execute()
  const { ok, differences } = (await operate(service, 'GET', '/payments/reconcile?days=1')).json
  assert.equal(ok, false)
  assert.match(differences[0]?.sentence ?? '', /succeeded, its top-up \S+ is open in the books/)
})

test('a dispute suspends: the very next request is refused, and says why', async () => {
  const { accountId, key } = await openAccount(service)
  const { sessionId } = await openTopup(accountId)
  await play(sessionId, 'pay')
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  await play(sessionId, 'dispute')
  const answer = await chat(service, key, 'air', hello)
  assertRefused(answer, 'invalid_api_key')
  assert.match(answer.json.error.message, /suspended/)
})

test('an event without a signature changes nothing, and a body that is too large is not read', async () => {
  const { accountId } = await openAccount(service)
  await openTopup(accountId)
  const post = (body: string) =>
    fetch(`${service.origin}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
      body,
    })
  assert.equal((await post('{"type":"checkout.session.completed"}')).status, 400)
  assert.equal((await post('x'.repeat(300 * 1024))).status, 400)
  const account = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  assert.equal(account.deposits_eur, '0.00')
})
