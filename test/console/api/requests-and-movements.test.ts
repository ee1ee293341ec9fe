import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { formatEuros, nano } from '#platform/money.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, credit, hello, operate } from '../../support/call.ts'
import { openConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'

const service = await servePeople({ after })

test('requests are listed newest first, filtered, in pages, and one by one', async () => {
  const { own, accountId } = await openConsolePerson(service)
  const one = (await own('POST', '/keys', { name: 'one' })).json
  const two = (await own('POST', '/keys', { name: 'two' })).json
  await chat(service, one.key, 'air', hello)
  await chat(service, two.key, 'nova', hello)
  await chat(service, two.key, 'air', hello)
  const all = (await own('GET', '/requests')).json
  const known = (await operate(service, 'GET', `/accounts/${accountId}/receipts`)).json
  assert.deepEqual(all.data, known.data)
  assert.equal(all.data.length, 3)
  const find = async (query: string) => {
    const { json } = await own('GET', `/requests?${query}`)
    return json.data.map(({ key_id: keyId, brand }) => [keyId, brand])
  }
  assert.deepEqual(await find(`key_id=${two.id}&brand=air`), [[two.id, 'air']])
  assert.deepEqual(await find('brand=nova&ended=completed'), [[two.id, 'nova']])
  assert.deepEqual(await find('ended=client_left'), [])
  assert.deepEqual(await find('to=2020-01-01'), [])
  assert.equal((await find('from=2020-01-01&to=9999-12-31')).length, 3)
  const first = (await own('GET', '/requests?limit=2')).json
  const rest = (await own('GET', `/requests?limit=2&cursor=${first.next_cursor}`)).json
  assert.deepEqual([...first.data, ...rest.data], all.data)
  assert.equal(rest.next_cursor, null)
  for (const receipt of all.data) {
    assert.deepEqual((await own('GET', `/requests/${receipt.request_id}`)).json, receipt)
  }
  for (const id of ['req_0', '%00', '%25']) {
    assertRefused(await own('GET', `/requests/${id}`), 'not_found')
  }
  for (const query of ['brand=other', 'ended=well', 'from=2026-02-30', 'cursor=%00']) {
    assertRefused(await own('GET', `/requests?${query}`), 'invalid_request')
  }
})

test('a statement has what was paid in, given, used and taken back, and adds up', async () => {
  const { own, accountId } = await openConsolePerson(service)
  const { json: opened } = await own('POST', '/topups', { amount_eur: '20.00' })
  const sessionId = new URL(opened.checkout_url).pathname.split('/').at(-1) ?? ''
  service.clock.advance(1_000)
  await service.app.payments?.sandbox?.play(sessionId, 'pay')
  const { json: key } = await own('POST', '/keys', { name: 'one' })
  await chat(service, key.key, 'air', hello)
  await chat(service, key.key, 'nova', hello)
  service.clock.advance(86_400_000)
  await credit(service, accountId, 'grant', '3')
  await operate(service, 'POST', `/topups/${opened.id}/refunds`, {
    amount_eur: '5.00',
    reference: `back ${accountId}`,
  })
  const movements = (await own('GET', '/movements')).json
  const used = (await own('GET', '/usage')).json.totals
  assert.deepEqual(
    movements.data.map(({ kind, amount_eur: amount, topup_id: topupId, requests }) => [
      kind,
      amount,
      topupId,
      requests,
    ]),
    // The refund and the second grant are of one instant: the later reference comes first.
    [
      ['refund', '-5.00', opened.id, null],
      ['grant', '3.00', null, null],
      ['usage', `-${used.cost_eur}`, null, 2],
      ['deposit', '20.00', opened.id, null],
      ['grant', '1.00', null, null],
    ],
  )
  const sum = movements.data.reduce((before, { amount_eur: amount }) => before + toNano(amount), 0)
  const { account } = (await own('GET', '/standing')).json
  assert.equal(formatEuros(nano(sum)), account.balance_eur)
  const usage = movements.data.find(({ kind }) => kind === 'usage')
  assert.deepEqual([usage?.at, usage?.reference], [null, null])
  const paged = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { json } = await own('GET', `/movements?limit=2${query}`)
    paged.push(...json.data)
    cursor = json.next_cursor
  }
  assert.deepEqual(paged, movements.data)
  assertRefused(await own('GET', '/movements?cursor=1'), 'invalid_request')
})

function toNano(amount: string): number {
  const sign = amount.startsWith('-') ? -1 : 1
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.')
  return sign * (Number(whole) * 1_000_000_000 + Number(decimals.padEnd(9, '0')))
}
