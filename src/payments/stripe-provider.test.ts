import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { nano, NANO_PER_EURO } from '#platform/money.ts'
import { startFakeStripe } from '../../test/support/fake-stripe.ts'
import { ProviderFailed } from './provider.ts'
import { createStripeProvider } from './stripe-provider.ts'

async function connect(t: TestContext) {
  const stripe = await startFakeStripe()
  t.after(() => stripe.close())
  const options = { secretKey: 'sk_test_secret', webhookSecret: 'whsec_1', apiUrl: stripe.url }
  return { stripe, provider: createStripeProvider(options) }
}

const checkout = {
  topupId: 'top_1',
  amount: nano(20 * NANO_PER_EURO),
  email: 'ada@example.com',
  returnUrl: 'https://parley.example.com/account?topup=top_1',
}

test('a checkout asks for exactly the amount, in euros, once for each top-up', async (t) => {
  const { stripe, provider } = await connect(t)
  stripe.answer({ body: { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example/1' } })
  const opened = await provider.openCheckout(checkout)
  assert.deepEqual(opened, { sessionId: 'cs_1', url: 'https://pay.example/1' })
  const [call] = stripe.calls
  assert.deepEqual([call?.method, call?.path], ['POST', '/v1/checkout/sessions'])
  assert.equal(call?.headers['idempotency-key'], 'top_1')
  assert.match(String(call?.headers['stripe-version']), /^\d{4}-\d\d-\d\d\./)
  // Of the machine that it runs on and its requests Stripe learns nothing.
  assert.equal(call?.headers['x-stripe-client-telemetry'], undefined)
  const expected = {
    mode: 'payment',
    client_reference_id: 'top_1',
    customer_email: 'ada@example.com',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'eur',
    'line_items[0][price_data][unit_amount]': '2000',
    'line_items[0][price_data][product_data][name]': 'Prepaid balance',
    'payment_intent_data[metadata][topup_id]': 'top_1',
    'metadata[topup_id]': 'top_1',
    'adaptive_pricing[enabled]': 'false',
    'invoice_creation[enabled]': 'true',
    success_url: checkout.returnUrl,
    cancel_url: checkout.returnUrl,
  }
  assert.deepEqual(Object.fromEntries(call?.form ?? []), expected)
})

test('a refund is asked in cents, once for each reference', async (t) => {
  const { stripe, provider } = await connect(t)
  stripe.answer({ body: { id: 're_1', object: 'refund' } })
  const amount = nano(5.5 * NANO_PER_EURO)
  await provider.refund({ topupId: 'top_1', paymentId: 'pi_1', amount, reference: 'ticket-1' })
  const [call] = stripe.calls
  assert.equal(call?.headers['idempotency-key'], 'refund ticket-1')
  const { payment_intent: payment, amount: cents } = Object.fromEntries(call?.form ?? [])
  assert.deepEqual([call?.path, payment, cents], ['/v1/refunds', 'pi_1', '550'])
})

test('what was paid is listed page by page, and what failed is left out', async (t) => {
  const { stripe, provider } = await connect(t)
  const charge = (id: string, status: string) => ({
    id: `ch_${id}`,
    object: 'charge',
    amount: 2_000,
    amount_refunded: 500,
    currency: 'eur',
    status,
    created: 1_795_000_000,
    payment_intent: `pi_${id}`,
    metadata: { topup_id: `top_${id}` },
  })
  stripe.answer(
    {
      body: {
        object: 'list',
        url: '/v1/charges',
        has_more: true,
        data: [charge('1', 'succeeded'), charge('2', 'failed')],
      },
    },
    {
      body: {
        object: 'list',
        url: '/v1/charges',
        has_more: false,
        data: [charge('3', 'succeeded')],
      },
    },
  )
  const payments = await Array.fromAsync(provider.listPayments(1_794_000_000_500))
  assert.deepEqual(
    payments.map(({ paymentId, topupId }) => [paymentId, topupId]),
    [
      ['pi_1', 'top_1'],
      ['pi_3', 'top_3'],
    ],
  )
  assert.deepEqual([payments[0]?.amount, payments[0]?.refunded], [20e9, 5e9])
  assert.deepEqual(
    stripe.calls.map(({ path }) => path),
    [
      '/v1/charges?created[gte]=1794000000&limit=100',
      '/v1/charges?created[gte]=1794000000&limit=100&starting_after=ch_2',
    ],
  )
})

test('a provider that refuses or is away has failed, without its secrets being told', async (t) => {
  const { stripe, provider } = await connect(t)
  stripe.answer({ status: 402, body: { error: { type: 'card_error', message: 'No.' } } })
  const refused = await provider.openCheckout(checkout).catch((error: unknown) => error)
  assert.ok(refused instanceof ProviderFailed)
  assert.doesNotMatch(`${refused.stack} ${String(refused.cause)}`, /sk_test_secret/)
  await stripe.close().catch(() => {})
  await assert.rejects(provider.openCheckout(checkout), ProviderFailed)
  await assert.rejects(Array.fromAsync(provider.listPayments(0)), ProviderFailed)
})
