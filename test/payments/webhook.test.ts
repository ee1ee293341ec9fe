import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { startFakeStripe } from '../support/fake-stripe.ts'
import {
  createObjects,
  signEvent,
  WEBHOOK_SECRET,
  type StripeEvent,
} from '../support/open-payments.ts'
import { serveFor } from '../support/service.ts'

const stripe = await startFakeStripe()
after(() => stripe.close())
const options = { secretKey: 'sk_live_of_the_tests', webhookSecret: WEBHOOK_SECRET }
const service = await serveFor(
  { after },
  { payments: { kind: 'stripe', ...options, apiUrl: stripe.url } },
)

/** As Stripe calls it: the bytes that it signed, and nothing else. */
async function post(body: Buffer | string, signature?: string): Promise<number> {
  const response = await fetch(`${service.origin}/webhooks/stripe`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== undefined && { 'stripe-signature': signature }),
    },
    body,
  })
  await response.arrayBuffer()
  return response.status
}

async function send(event: StripeEvent): Promise<number> {
  const { body, signature } = signEvent(event)
  return post(body, signature)
}

async function openTopup() {
  const { accountId, key } = await openAccount(service)
  stripe.answer({ body: { id: `cs_${accountId}`, url: 'https://checkout.example/pay' } })
  const path = `/accounts/${accountId}/topups`
  const { status, json } = await operate(service, 'POST', path, { amount_eur: '20.00' })
  assert.deepEqual([status, json.checkout_url], [201, 'https://checkout.example/pay'])
  assert.deepEqual([json.test, json.provider], [false, 'stripe'])
  const read = async () => (await operate(service, 'GET', `/accounts/${accountId}`)).json
  return { id: json.id, key, read, events: createObjects(json.id, 20) }
}

test('an event that Stripe signed credits over HTTP, once, and raises the tier of the next request', async () => {
  const { key, read, events } = await openTopup()
  const event = { ...events.paid, id: 'evt_over_http' }
  const statuses = await Promise.all([send(event), send(event), send(event)])
  assert.deepEqual(statuses, [200, 200, 200])
  const { balance_eur: balance, deposits_eur: deposits, tier } = await read()
  assert.deepEqual([balance, deposits, tier], ['21.00', '20.00', 2])
  const { headers } = await chat(service, key, 'air', hello)
  assert.equal(headers.get('x-ratelimit-limit'), '100')
})

test('what Stripe did not sign, signed long ago or otherwise is 400, and changes nothing', async () => {
  const { read, events } = await openTopup()
  const { body, signature } = signEvent(events.paid)
  const nowS = Math.floor(Date.now() / 1_000)
  const forged: readonly (readonly [Buffer | string, string | undefined])[] = [
    [body, undefined],
    [body, 't=1,v1=00'],
    [`${body.toString()} `, signature],
    [JSON.stringify(JSON.parse(body.toString()), null, 2), signature],
    [body, signEvent(events.paid, { secret: 'whsec_another' }).signature],
    [body, signEvent(events.paid, { timestamp: nowS - 301 }).signature],
    ['', signature],
  ]
  for (const [sent, given] of forged) assert.equal(await post(sent, given), 400)
  const { balance_eur: balance, deposits_eur: deposits } = await read()
  assert.deepEqual([balance, deposits], ['1.00', '0.00'])
  // Just within the tolerance it is taken.
  const recent = signEvent(events.paid, { timestamp: nowS - 290 })
  assert.equal(await post(recent.body, recent.signature), 200)
  assert.equal((await read()).deposits_eur, '20.00')
})

test('an event that says nothing of a top-up is taken, so that it is not sent for ever', async () => {
  const { read } = await openTopup()
  assert.equal(await send({ type: 'customer.created', object: { id: 'cus_1' } }), 200)
  const foreign = createObjects('top_of_another_service', 20)
  assert.equal(await send(foreign.paid), 200)
  assert.equal((await read()).deposits_eur, '0.00')
})

test('a body that is larger than any event is not read', async () => {
  assert.equal(await post('x'.repeat(257 * 1_024), 't=1,v1=00'), 400)
})

test('a provider that is away is told as such, and nothing is left half done', async () => {
  const { accountId } = await openAccount(service)
  stripe.answer({ status: 503, body: { error: { message: 'away' } } })
  const path = `/accounts/${accountId}/topups`
  const { status, json } = await operate(service, 'POST', path, { amount_eur: '20.00' })
  assert.deepEqual([status, json.error.code], [502, 'upstream_error'])
  assert.ok(!service.logged.join('\n').includes('sk_live_of_the_tests'))
})
