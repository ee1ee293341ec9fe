import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { call, operate, type Answer } from '../support/call.ts'
import { writeSession } from '../support/identity/credentials.ts'
import { servePeople, signedIn } from '../support/identity/people.ts'
import type { Service } from '../support/service.ts'

const service = await servePeople({ after })

async function openPerson(where: Service = service) {
  const visitor = await signedIn(where)
  const headers = writeSession(visitor, where)
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(where, method, `/console/api${path}`, { headers, ...(body !== undefined && { body }) })
  const { data } = (await ask('GET', '/accounts')).json
  return { ask, email: visitor.email, accountId: data[0].id, accounts: data }
}

const twenty = { amount_eur: '20.00' }

test('a person sees their own accounts, and of them what is theirs to see', async () => {
  const { ask, accounts, accountId, email } = await openPerson()
  assert.equal(accounts.length, 1)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}`)
  const { email: known, min_tier: _tier, plan: _plan, ...own } = json
  assert.equal(known, email)
  const { role, rights: _rights, is_own: isOwn, ...seen } = accounts[0]
  assert.deepEqual([seen, role, isOwn], [{ ...own, email }, 'owner', true])
  const second = (await operate(service, 'POST', '/accounts', { email })).json
  const first = (await ask('GET', '/accounts?limit=1')).json
  assert.deepEqual(
    first.data.map(({ id }) => id),
    [second.id],
  )
  const rest = (await ask('GET', `/accounts?limit=1&cursor=${first.next_cursor}`)).json
  assert.deepEqual([rest.data.map(({ id }) => id), rest.next_cursor], [[accountId], null])
})

test('a person pays in: balance and tier rise, and there is a receipt', async () => {
  const { ask, accountId } = await openPerson()
  const opened = await ask('POST', `/accounts/${accountId}/topups`, twenty)
  assert.deepEqual([opened.status, opened.json.state, opened.json.test], [201, 'open', true])
  const url = new URL(opened.json.checkout_url)
  assert.equal(url.origin, service.app.identity.issuer)
  const sessionId = url.pathname.split('/').at(-1) ?? ''
  const checkout = await service.app.payments?.sandbox?.find(sessionId)
  assert.equal(checkout?.returnUrl, `${url.origin}/console/balance?topup=${opened.json.id}`)
  await service.app.payments?.sandbox?.play(sessionId, 'pay')
  const [account] = (await ask('GET', '/accounts')).json.data
  assert.deepEqual(
    [account?.balance_eur, account?.deposits_eur, account?.tier],
    ['21.00', '20.00', 2],
  )
  const { json: topup } = await ask('GET', `/topups/${opened.json.id}`)
  assert.deepEqual([topup.id, topup.state], [opened.json.id, 'paid'])
  const { data: topups } = (await ask('GET', `/accounts/${accountId}/topups`)).json
  assert.deepEqual(topups, [topup])
  const { data: documents } = (await ask('GET', `/topups/${topup.id}/documents`)).json
  assert.deepEqual(
    documents.map(({ kind, amount_eur: amount, net_eur: net }) => [kind, amount, net]),
    [['receipt', '20.00', '20.00']],
  )
})

test('10, 20, 50 and 100 € can be paid in, and nothing else', async () => {
  const { ask, accountId } = await openPerson()
  for (const amount of ['10.00', '20.00', '50.00', '100.00']) {
    const { status } = await ask('POST', `/accounts/${accountId}/topups`, { amount_eur: amount })
    assert.equal(status, 201)
  }
  for (const amount of ['0.00', '5.00', '10', '1000.00', '-10.00', 'ten', '']) {
    const answer = await ask('POST', `/accounts/${accountId}/topups`, { amount_eur: amount })
    assertRefused(answer, 'invalid_request')
  }
})

test('what is of others is not there, whoever asks', async () => {
  const [one, other] = [await openPerson(), await openPerson()]
  for (const [thief, victim] of [
    [one, other],
    [other, one],
  ] as const) {
    const path = `/accounts/${victim.accountId}/topups`
    const { json } = await victim.ask('POST', path, twenty)
    assertRefused(await thief.ask('POST', path, twenty), 'not_found')
    assertRefused(await thief.ask('GET', path), 'not_found')
    assertRefused(await thief.ask('GET', `/topups/${json.id}`), 'not_found')
    assertRefused(await thief.ask('GET', `/topups/${json.id}/documents`), 'not_found')
    assert.equal((await victim.ask('GET', `/topups/${json.id}`)).status, 200)
  }
  const { ask, accountId } = one
  const [topup] = (await ask('GET', `/accounts/${accountId}/topups`)).json.data
  const cursor = `?cursor=${(await other.ask('GET', `/accounts/${other.accountId}/topups`)).json.data[0]?.id}`
  const { data } = (await ask('GET', `/accounts/${accountId}/topups${cursor}`)).json
  assert.ok(data.every(({ id }) => id === topup?.id))
})

test('twenty checkouts an hour are enough for anybody', async () => {
  const { ask, accountId } = await openPerson()
  const path = `/accounts/${accountId}/topups`
  for (let count = 0; count < 20; count += 1) {
    assert.equal((await ask('POST', path, twenty)).status, 201)
  }
  const answer = await ask('POST', path, twenty)
  assertRefused(answer, 'too_many_attempts')
  assert.equal(answer.headers.get('retry-after'), '3600')
  assert.equal((await operate(service, 'POST', path, twenty)).status, 201)
  service.clock.advance(3_600_000)
  assert.equal((await ask('POST', path, twenty)).status, 201)
})

test('where nobody takes payments, balances are there and checkouts are not', async (t) => {
  const closed = await servePeople(
    { after: (close) => t.after(close) },
    { payments: { kind: 'off' } },
  )
  const { ask, accountId } = await openPerson(closed)
  const asked = [
    await ask('POST', `/accounts/${accountId}/topups`, twenty),
    await ask('GET', `/accounts/${accountId}/topups`),
    await ask('GET', '/topups/top_1'),
    await ask('GET', '/topups/top_1/documents'),
  ]
  for (const answer of asked) assertRefused(answer, 'conflict')
  assertRefused(await ask('POST', '/accounts/acc_1/topups', twenty), 'not_found')
  const page = await fetch(`${closed.origin}/sandbox/checkout/cs_test_1`)
  assert.equal(page.status, 404)
})
