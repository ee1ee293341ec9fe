import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_FILE, problemsOf } from '../test/support/config-files.ts'
import { readConfig } from './config.ts'

const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_WEBHOOK_SECRET: 'whsec_abc' }

test('without keys the sandbox takes payments, and in production nobody, unless it is told to', () => {
  const allowed = { NODE_ENV: 'production', PARLEY_ALLOW_SIMULATED: '1' }
  assert.equal(readConfig(NO_FILE).payments.kind, 'sandbox')
  assert.equal(readConfig({ ...NO_FILE, ...allowed }).payments.kind, 'off')
  const forced = { ...NO_FILE, ...allowed, PARLEY_ALLOW_SANDBOX: '1' }
  assert.equal(readConfig(forced).payments.kind, 'sandbox')
})

test('Stripe takes payments where both of its secrets are set', () => {
  const { payments } = readConfig({ ...NO_FILE, ...STRIPE })
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = STRIPE
  assert.deepEqual(payments, { kind: 'stripe', secretKey, webhookSecret })
})

for (const webhookSecret of ['', ' ', 'abc', 'whsec_']) {
  test(`Stripe with the webhook secret "${webhookSecret}" does not start, and the secrets are not told`, () => {
    const problems = problemsOf({ ...STRIPE, STRIPE_WEBHOOK_SECRET: webhookSecret })
    assert.equal(problems.length, 1)
    assert.match(String(problems[0]), /^STRIPE_WEBHOOK_SECRET: must be .*without it anybody could/)
    assert.doesNotMatch(String(problems[0]), /sk_live_abc/)
  })
}

test('a webhook secret without a key, and a key that is none, are refused', () => {
  for (const secretKey of ['', 'pk_live_abc', 'abc']) {
    const [problem] = problemsOf({ ...STRIPE, STRIPE_SECRET_KEY: secretKey })
    assert.match(String(problem), /^STRIPE_SECRET_KEY: must be a secret key/)
  }
})
