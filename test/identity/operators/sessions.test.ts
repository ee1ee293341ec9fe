import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { createContract, type Operation } from '#api/contract/index.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, openAccount, operate, readAnswer, type Answer } from '../../support/call.ts'
import { fillPath, openPlaces } from '../../support/fill-path.ts'
import { createVisitor, type Visitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })

/** So that failed calls of one test do not turn the next one's 401 into a 429. */
beforeEach(() => service.clock.advance(60_000))

let people = 0

interface Guest {
  readonly id: string
  readonly visitor: Visitor
}

async function welcome(role: 'operator' | 'customer'): Promise<Guest> {
  people += 1
  const email = `guest-${people}@example.com`
  const visitor = createVisitor(service)
  await visitor.signUp(email)
  await visitor.signIn(email)
  const { json } = await operate(service, 'GET', `/people?email=${email}`)
  const { id } = json.data[0]
  if (role === 'operator') await setRole(id, role)
  return { id, visitor }
}

async function setRole(id: string, role: 'operator' | 'customer'): Promise<void> {
  assert.equal((await operate(service, 'PATCH', `/people/${id}`, { role })).status, 200)
}

/** What one of our own pages would send for them. */
async function ask(
  { visitor }: Guest,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const response = await visitor.fetch(`/operator/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return readAnswer(response.status, response.headers, await response.text())
}

test('an operator who is signed in does what the token does, and is written down by name', async () => {
  const operator = await welcome('operator')
  const email = 'made@example.com'
  const made = await ask(operator, 'POST', '/accounts', { body: { email } })
  assert.equal(made.status, 201, made.text)
  const path = `/accounts/${made.json.id}`
  assert.equal((await ask(operator, 'POST', `${path}/keys`, { body: { name: 'x' } })).status, 201)
  assert.equal((await ask(operator, 'PATCH', path, { body: { suspended: true } })).status, 200)
  await ask(operator, 'PATCH', '/models/air', { body: { enabled: true } })
  assert.equal((await ask(operator, 'GET', path)).json.suspended, true)
  const { json } = await ask(operator, 'GET', '/audit?limit=4')
  assert.deepEqual(
    json.data.map(({ action, actor }) => [action, actor]),
    ['model.switched', 'account.changed', 'key.created', 'account.created'].map((action) => [
      action,
      operator.id,
    ]),
  )
})

const operations: readonly Operation[] = Object.values(createContract('svc').operator)

test('every operation is refused to a customer, who is told why, and does nothing', async () => {
  const customer = await welcome('customer')
  const places = await openPlaces(service, await openAccount(service))
  const { json: before } = await operate(service, 'GET', '/audit?limit=1')
  for (const { path, method } of operations) {
    service.clock.advance(60_000)
    const below = fillPath(path, places).replace('/operator/v1', '')
    const answer = await ask(customer, method.toUpperCase(), below)
    assertRefused(answer, 'not_an_operator')
  }
  assert.deepEqual((await operate(service, 'GET', '/audit?limit=1')).json, before)
})

test('who is demoted is refused by the very next request, and who is promoted is not', async () => {
  const operator = await welcome('operator')
  assert.equal((await ask(operator, 'GET', '/models')).status, 200)
  await setRole(operator.id, 'customer')
  assertRefused(await ask(operator, 'GET', '/models'), 'not_an_operator')
  await setRole(operator.id, 'operator')
  assert.equal((await ask(operator, 'GET', '/models')).status, 200)
})

test('the last operator may step down, for the token remains', async () => {
  const operator = await welcome('operator')
  const path = `/people/${operator.id}`
  const answer = await ask(operator, 'PATCH', path, { body: { role: 'customer' } })
  assert.deepEqual([answer.status, answer.json.role], [200, 'customer'])
  assertRefused(await ask(operator, 'GET', path), 'not_an_operator')
  assert.equal((await operate(service, 'GET', path)).status, 200)
})

test('who signs out, or is signed out, is refused by the very next request', async () => {
  const operator = await welcome('operator')
  await operate(service, 'POST', `/people/${operator.id}/sign-out`)
  assertRefused(await ask(operator, 'GET', '/models'), 'invalid_operator_token')
})

test('what another page sends with the session of an operator changes nothing', async () => {
  const operator = await welcome('operator')
  const body = { enabled: false }
  for (const origin of [
    'https://evil.example',
    'null',
    service.origin.replace('127.0.0.1', 'localhost'),
    service.origin.replace('http:', 'https:'),
    `${service.origin}.evil.example`,
    `${service.origin}/`,
    '',
  ]) {
    const answer = await ask(operator, 'PATCH', '/models/air', { body, headers: { origin } })
    assertRefused(answer, 'invalid_operator_token')
  }
  const cookie = [...operator.visitor.cookies.values()]
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
  // No browser would leave it out.
  const bare = { headers: { cookie }, body }
  const answer = await call(service, 'PATCH', '/operator/v1/models/air', bare)
  assertRefused(answer, 'invalid_operator_token')
  const { json } = await operate(service, 'GET', '/models')
  assert.equal(json.data[0].enabled, true)
})

test('a session that is none is refused as no credentials are, and counted', async () => {
  const operator = await welcome('operator')
  const session = [...operator.visitor.cookies.values()].find(({ name }) =>
    name.endsWith('session_token'),
  )
  const value = String(session?.value)
  const wrong = ['', 'x', value.slice(0, -1), `x${value}`, value.split('.')[0], '%zz']
  for (const one of wrong) {
    const headers = { cookie: `parley.session_token=${one}` }
    const answer = await call(service, 'GET', '/operator/v1/models', { headers })
    assertRefused(answer, 'invalid_operator_token')
  }
  const headers = { cookie: 'parley.session_token=x' }
  for (let count = wrong.length; count < 10; count += 1) {
    await call(service, 'GET', '/operator/v1/models', { headers })
  }
  const answer = await call(service, 'GET', '/operator/v1/models', { headers })
  assertRefused(answer, 'too_many_attempts')
  // The session of an operator is taken from the same address at once.
  const good = { cookie: `parley.session_token=${value}` }
  const taken = await call(service, 'GET', '/operator/v1/models', { headers: good })
  assert.equal(taken.status, 200)
})

test('a wrong token is refused, whoever is signed in beside it', async () => {
  const operator = await welcome('operator')
  const headers = { authorization: 'Bearer wrong' }
  assertRefused(await ask(operator, 'GET', '/models', { headers }), 'invalid_operator_token')
})

test('the sign-in rooms are not loaded for a call without a session', async (t) => {
  const cold = await serveFor(t)
  let loads = 0
  const { identity } = cold.app
  const load = identity.load.bind(identity)
  t.mock.method(identity, 'load', () => {
    loads += 1
    return load()
  })
  await operate(cold, 'GET', '/models')
  await call(cold, 'GET', '/operator/v1/models', { headers: { cookie: 'theme=dark' } })
  assert.equal(loads, 0)
  await call(cold, 'GET', '/operator/v1/models', { headers: { cookie: 'parley.session_token=x' } })
  assert.equal(loads, 1)
})
