import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Config } from '../../src/config.ts'
import { checkPayments } from '../../src/doctor/checks/check-payments.ts'
import { refusingUrl } from '../support/fake-upstream/index.ts'
import { startFakeStripe, type FakeStripe } from '../support/fake-stripe.ts'
import { makePatient, tell } from './patient.ts'

const ORIGIN = 'https://parley.example'
const env = { PARLEY_BASE_URL: `${ORIGIN}/v1` }

async function lookAt(
  apiUrl: string,
  { secretKey = 'sk_live_verysecret', production = true } = {},
): Promise<string> {
  const payments = { kind: 'stripe', secretKey, webhookSecret: 'whsec_x', apiUrl } as const
  return tell(await checkPayments(makePatient({ env, config: { payments, production } })))
}

async function start(t: TestContext): Promise<FakeStripe> {
  const stripe = await startFakeStripe()
  t.after(() => stripe.close())
  return stripe
}

const endpoint = { url: `${ORIGIN}/webhooks/stripe`, status: 'enabled', enabled_events: ['*'] }

test('a live key and a whole webhook are right, and only read', async (t) => {
  const stripe = await start(t)
  stripe.answer({ body: { data: [endpoint] } })
  assert.equal(
    await lookAt(stripe.url),
    `ok: Stripe takes the live key.\nok: Stripe has an enabled webhook, ${endpoint.url}.`,
  )
  assert.deepEqual(stripe.calls.map(({ method, path }) => `${method} ${path}`).toSorted(), [
    'GET /v1/charges?limit=1',
    'GET /v1/webhook_endpoints?limit=100',
  ])
})

test('a webhook that is missing, off, or not told of all is a problem', async (t) => {
  const stripe = await start(t)
  const flaws = [
    [[], /problem: Stripe has no webhook for https:\/\/parley\.example\/webhooks\/stripe/],
    [[{ ...endpoint, status: 'disabled' }], /problem: .* is disabled\. → Enable it/],
    [
      [{ ...endpoint, enabled_events: ['checkout.session.completed'] }],
      /problem: .* lacks checkout\.session\.async_payment_succeeded, .*charge\.refunded/,
    ],
  ] as const
  for (const [data, complaint] of flaws) {
    stripe.answer({ body: { data } })
    assert.match(await lookAt(stripe.url), complaint)
  }
})

test('a key that is refused, may not enough, or cannot be tried is told apart', async (t) => {
  const stripe = await start(t)
  const flaws = [
    [401, /^problem: Stripe refuses the key/],
    [403, /^problem: .* may not read charges/],
    [500, /^warning: Stripe answers HTTP 500/],
  ] as const
  for (const [status, complaint] of flaws) {
    stripe.answer({ status, body: {} })
    const told = await lookAt(stripe.url)
    assert.match(told, complaint)
    assert.doesNotMatch(told, /verysecret/)
  }
  const nobody = await lookAt(new URL(await refusingUrl()).origin)
  assert.match(nobody, /^problem: Stripe cannot be reached: nobody listens there/)
})

test('a key of the other mode is a warning', async (t) => {
  const stripe = await start(t)
  stripe.answer({ body: { data: [endpoint] } })
  const test_ = await lookAt(stripe.url, { secretKey: 'sk_test_x' })
  assert.match(test_, /warning: It is a test key in production/)
  const live = await lookAt(stripe.url, { production: false })
  assert.match(live, /warning: It is a live key outside production/)
})

test('without Stripe it is said who takes the money', async () => {
  const of = async (config: Partial<Config>) => tell(await checkPayments(makePatient({ config })))
  assert.match(await of({ payments: { kind: 'off' } }), /^note: Nobody takes payments/)
  assert.match(await of({ payments: { kind: 'sandbox' } }), /^note: Payments are the sandbox/)
  const pretended = await of({ payments: { kind: 'sandbox' }, production: true })
  assert.match(pretended, /^warning: Payments are the sandbox in production/)
})
