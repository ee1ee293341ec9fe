import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { operate } from '../../support/call.ts'
import { askUserInfo, refreshTokens, runCodeFlow } from '../../support/identity/run-code-flow.ts'
import { registerClient } from '../../support/identity/register-client.ts'
import { createVisitor, type Visitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const redirectUri = 'https://app.example.com/callback'
const app = { clientId: 'chat', redirectUri }
await registerClient(service, { clientId: 'chat', kind: 'public', redirectUris: [redirectUri] })

async function welcome(email: string): Promise<{ id: string; visitor: Visitor }> {
  const visitor = createVisitor(service)
  await visitor.signUp(email, 'Somebody')
  await visitor.signIn(email)
  const { json } = await operate(service, 'GET', `/people?email=${email}`)
  return { id: json.data[0].id, visitor }
}

test('a person is shown with what an operator needs, and nothing that opens anything', async () => {
  const { id } = await welcome('ana@example.com')
  const { json } = await operate(service, 'GET', `/people/${id}`)
  const { created_at: createdAt, ...rest } = json
  assert.equal(typeof createdAt, 'number')
  assert.deepEqual(rest, {
    id,
    email: 'ana@example.com',
    email_verified: true,
    name: 'Somebody',
    plan: 'FREE',
    role: 'customer',
    two_factor: false,
  })
})

test('people are listed newest first, page by page, by address in any case, and by role', async () => {
  const { id } = await welcome('bea@example.com')
  const { json: newer } = await operate(service, 'POST', '/accounts', { email: 'cid@example.com' })
  const { json: first } = await operate(service, 'GET', '/people?limit=1')
  assert.equal(first.data[0].email, newer.email)
  const second = await operate(service, 'GET', `/people?limit=1&cursor=${first.next_cursor}`)
  assert.equal(second.json.data[0].id, id)
  const found = await operate(service, 'GET', '/people?email=BEA@example.com')
  assert.deepEqual(
    found.json.data.map((person) => person.id),
    [id],
  )
  assert.deepEqual((await operate(service, 'GET', '/people?role=operator')).json.data, [])
  await operate(service, 'PATCH', `/people/${id}`, { role: 'operator' })
  const operators = await operate(service, 'GET', '/people?role=operator')
  assert.deepEqual(
    operators.json.data.map((person) => person.id),
    [id],
  )
  for (const query of ['role=boss', 'limit=0', 'cursor=%00', 'email=%00']) {
    assertRefused(await operate(service, 'GET', `/people?${query}`), 'invalid_request')
  }
})

test('a role is written down once for each time that it changes', async () => {
  const { id } = await welcome('dora@example.com')
  for (const role of ['operator', 'operator', 'customer'] as const) {
    const { json } = await operate(service, 'PATCH', `/people/${id}`, { role })
    assert.equal(json.role, role)
  }
  assertRefused(
    await operate(service, 'PATCH', `/people/${id}`, { role: 'boss' }),
    'invalid_request',
  )
  assertRefused(await operate(service, 'PATCH', `/people/${id}`, {}), 'invalid_request')
  const { json } = await operate(service, 'GET', '/audit?limit=2')
  assert.deepEqual(
    json.data.map(({ action, details }) => [action, details]),
    [
      ['person.role_changed', { person_id: id, role: 'customer' }],
      ['person.role_changed', { person_id: id, role: 'operator' }],
    ],
  )
})

test('who is signed out everywhere has no session, token or consent left; others keep theirs', async () => {
  const one = await welcome('eva@example.com')
  const other = await welcome('fay@example.com')
  const grant = await runCodeFlow(service, one.visitor, app)
  const kept = await runCodeFlow(service, other.visitor, app)
  assert.deepEqual([grant.status, kept.status], [200, 200])
  const before = await refreshTokens(service, app, grant.body.refresh_token)
  assert.equal(before.status, 200)
  assert.equal((await operate(service, 'POST', `/people/${one.id}/sign-out`)).status, 204)
  assert.equal(await askUserInfo(service, before.body.access_token), 401)
  const later = await refreshTokens(service, app, before.body.refresh_token)
  assert.deepEqual([later.status, later.body.error], [400, 'invalid_grant'])
  assert.equal(await (await one.visitor.fetch('/api/auth/get-session')).text(), 'null')
  assert.ok((await runCodeFlow(service, one.visitor, app)).visit.trail.includes('sign in'))
  assert.equal(await askUserInfo(service, kept.body.access_token), 200)
  assert.match(await (await other.visitor.fetch('/api/auth/get-session')).text(), /fay@example/)
  const { json } = await operate(service, 'GET', '/audit?limit=1')
  const { action, details } = json.data[0]
  assert.deepEqual([action, details], ['person.signed_out', { person_id: one.id }])
})

test('a sign-in that is under way when a person is signed out does not end in tokens', async () => {
  const { id, visitor } = await welcome('gus@example.com')
  const query = new URLSearchParams({
    client_id: 'chat',
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const begun = await visitor.fetch(`/api/oidc/authorize?${query.toString()}`)
  const asked = new URL(String(begun.headers.get('location')), service.origin)
  assert.match(asked.pathname, /^\/interaction\//)
  const before = await visitor.fetch(asked)
  assert.match(await before.text(), /name="decision"/)
  await operate(service, 'POST', `/people/${id}/sign-out`)
  const allow = new URLSearchParams({ decision: 'allow' })
  const allowed = await visitor.fetch(asked, { method: 'POST', body: allow })
  assert.match(allowed.headers.get('location') ?? (await allowed.text()), /\/sign-in\?/)
  assert.equal((await visitor.authorize(asked)).callback, undefined)
})
