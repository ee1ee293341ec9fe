import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { chat, hello, operate } from '../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../support/console-person.ts'
import { registerClient } from '../support/identity/register-client.ts'
import { post } from '../support/identity/people.ts'
import { runCodeFlow } from '../support/identity/run-code-flow.ts'
import { readCode } from '../support/identity/totp.ts'
import { createVisitor, PASSWORD } from '../support/identity/visitor.ts'
import type { Service } from '../support/service.ts'

/** Somebody of whom there is a row in every table that has rows of people. */
export async function leadALife(service: Service): Promise<ConsolePerson> {
  const person = await openConsolePerson(service)
  const { own, personId, accountId } = person
  const callback = 'https://chat.example.com/callback'
  await registerClient(service, { clientId: 'chat', kind: 'public', redirectUris: [callback] })
  const visitor = createVisitor(service)
  await visitor.signIn(person.email)
  const app = { clientId: 'chat', redirectUri: callback }
  assert.equal((await runCodeFlow(service, visitor, app)).status, 200)
  await visitor.fetch('/api/auth/update-user', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ana Canary', image: 'https://example.com/ana.png' }),
  })
  await addFactors(service, visitor, personId)
  const { json: made } = await own('POST', '/keys', {
    name: 'canary key',
    daily_ceiling_eur: '5.00',
    expires_at: service.clock.nowMs() + 86_400_000_000,
  })
  await own('POST', `/keys/${made.id}/roll`, { overlap_s: 600 })
  assert.equal((await chat(service, made.key, 'nova', hello)).status, 200)
  await own('PUT', '/alerts', { low_balance_eur: '3.00', ceiling: true })
  await own('PATCH', '', { daily_ceiling_eur: '50.00' })
  await own('POST', '/invitations', { email: 'canary-friend@example.com', role: 'developer' })
  const { json: topup } = await own('POST', '/topups', { amount_eur: '20.00' })
  await service.app.payments?.sandbox?.play(`cs_test_${topup.id}`, 'pay')
  await operate(service, 'POST', `/topups/${topup.id}/refunds`, {
    amount_eur: '5.00',
    reference: 'goodwill',
  })
  await operate(service, 'PATCH', `/accounts/${accountId}`, { min_tier: 2 })
  await operate(service, 'POST', `/people/${personId}/sign-in-links`, {})
  await post(createVisitor(service), '/request-password-reset', { email: person.email })
  await post(createVisitor(service), '/sign-in/email', {
    email: person.email,
    password: 'no no no no',
  })
  // A balance that runs out takes days; the mail of it is another test's.
  await sql`insert into alert_sent values (${accountId}, 'low_balance', 3000000000, 1, ${service.clock.nowMs()})`.execute(
    service.store.db,
  )
  return person
}

/** An authenticator app by its real steps; a passkey as a browser would have left it. */
async function addFactors(
  service: Service,
  visitor: ReturnType<typeof createVisitor>,
  personId: string,
): Promise<void> {
  const { body } = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const { totpURI } = body as { totpURI: string }
  const code = readCode(totpURI, Date.now())
  assert.equal((await post(visitor, '/two-factor/verify-totp', { code })).status, 200)
  await sql`insert into passkey values ('row_canary', ${personId}, 'canary device', 'public-key-canary',
    'credential-canary', 0, 'singleDevice', 0, 'internal', 'aaguid-canary', ${service.clock.nowMs()})`.execute(
    service.store.db,
  )
}
