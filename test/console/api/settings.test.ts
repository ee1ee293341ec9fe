import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../../support/call.ts'
import { BASE_URL } from '../../support/app-options.ts'
import { signInSomebody, writeSession } from '../../support/identity/credentials.ts'
import { serveFor, type ServiceOptions } from '../../support/service.ts'

for (const [payments, takes] of [
  [{ kind: 'sandbox' }, { is_test: true }],
  [{ kind: 'off' }, null],
] as const satisfies readonly (readonly [ServiceOptions['payments'], unknown])[]) {
  test(`the console is told where the API is, what tiers there are, and whose payments: ${payments.kind}`, async (t) => {
    const service = await serveFor(t, { identity: true, payments })
    const headers = writeSession(await signInSomebody(service), service)
    const { json } = await call(service, 'GET', '/console/api/settings', { headers })
    assert.deepEqual(json, {
      service_name: 'svc',
      base_url: BASE_URL,
      payments: takes,
      tiers: [
        { tier: 1, requests_per_minute: 10, tokens_per_minute: 10_000, from_eur: '0.00' },
        { tier: 2, requests_per_minute: 100, tokens_per_minute: 200_000, from_eur: '10.00' },
        { tier: 3, requests_per_minute: 500, tokens_per_minute: 1_000_000, from_eur: '100.00' },
      ],
    })
  })
}
