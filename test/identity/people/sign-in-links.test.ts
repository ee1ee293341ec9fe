import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, operate } from '../../support/call.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import {
  lastToken,
  newAddress,
  post,
  resetPassword,
  servePeople,
  signedIn,
  trySignIn,
  whoIs,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })
const db = withTables<IdentityTables>(service.store.db)
const { signInLinks } = service.app.identity

const MINUTE_MS = 60_000

async function findPerson(email: string) {
  const { json } = await operate(service, 'GET', `/people?email=${encodeURIComponent(email)}`)
  return json.data[0]
}

/** Somebody whom an operator made, who has never signed in. */
async function madePerson(): Promise<{ readonly id: string; readonly email: string }> {
  const email = newAddress('made')
  await operate(service, 'POST', '/accounts', { email })
  return { id: (await findPerson(email)).id, email }
}

async function makeLink(personId: string, body: object = {}): Promise<string> {
  const { status, json } = await operate(service, 'POST', `/people/${personId}/sign-in-links`, body)
  assert.equal(status, 201)
  assert.match(json.url, /\/link\/[\w-]{43}$/)
  return json.url
}

const follow = (url: string, visitor: Visitor, headers: Record<string, string> = {}) =>
  visitor.fetch(url, { method: 'POST', headers })

/** What opening a link tells, which must not use it up. */
async function open(url: string) {
  const response = await createVisitor(service).fetch(url)
  return { status: response.status, text: await response.text() }
}

async function isGood(url: string): Promise<boolean> {
  return (await open(url)).status === 200
}

test('a link says whose it is, signs them in by a button, once, and leads to the console', async () => {
  const { id, email } = await madePerson()
  const url = await makeLink(id)
  for (const method of ['GET', 'HEAD', 'GET']) {
    const response = await createVisitor(service).fetch(url, { method })
    assert.equal(response.status, 200)
    assert.deepEqual(response.headers.getSetCookie(), [])
    assert.equal(response.headers.get('referrer-policy'), 'strict-origin')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  }
  assert.ok((await open(url)).text.includes(email))
  const visitor = createVisitor(service)
  const { status, headers } = await follow(url, visitor)
  assert.deepEqual([status, headers.get('location')], [303, '/console'])
  assert.equal(await whoIs(visitor), email)

  const late = createVisitor(service)
  assert.equal((await follow(url, late)).status, 410)
  assert.equal(await whoIs(late), undefined)
  const over = await open(url)
  assert.equal(over.status, 410)
  assert.match(over.text, /npx parley person link EMAIL/)
  assert.ok(!over.text.includes(email))
})

test('of many who follow one link at once one gets in', async () => {
  const { id } = await madePerson()
  const url = await makeLink(id)
  const visitors = Array.from({ length: 6 }, () => createVisitor(service))
  const statuses = await Promise.all(
    visitors.map(async (visitor) => (await follow(url, visitor)).status),
  )
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [303, 410, 410, 410, 410, 410],
  )
  const sessions = await db.selectFrom('session').select('id').where('user_id', '=', id).execute()
  assert.equal(sessions.length, 1)
})

test('a link is good for a quarter of an hour, or as long as it was asked for', async () => {
  const { id } = await madePerson()
  const url = await makeLink(id)
  const long = await makeLink(id, { expires_in_s: 86_400 })
  service.clock.advance(15 * MINUTE_MS - 1)
  assert.equal(await isGood(url), true)
  service.clock.advance(1)
  assert.equal(await isGood(url), false)
  assert.equal((await follow(url, createVisitor(service))).status, 410)
  assert.equal(await isGood(long), true)
  for (const body of [
    { expires_in_s: 59 },
    { expires_in_s: 86_401 },
    { role: 'customer' },
    { x: 1 },
  ]) {
    const path = `/people/${id}/sign-in-links`
    assertRefused(await operate(service, 'POST', path, body), 'invalid_request')
  }
  service.clock.advance(1)
  await service.app.identity.sweep()
  assert.equal((await open(url)).status, 404, 'what is over is swept')
  assert.equal(await isGood(long), true)
})

test('what was never a link is told so, and signs nobody in', async () => {
  const { id } = await madePerson()
  const url = await makeLink(id)
  const other = url.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))
  const bases = [
    other,
    url.slice(0, -1),
    `${url}A`,
    url.toLowerCase(),
    `${service.origin}/link/%00`,
  ]
  for (const base of bases) {
    assert.equal((await open(base)).status, 404, base)
    const visitor = createVisitor(service)
    assert.equal((await follow(base, visitor)).status, 404, base)
    assert.equal(await whoIs(visitor), undefined)
  }
  assert.equal(await isGood(url), true)
})

test('no other page uses a link up, and the sign-in API has no address for it', async () => {
  const { id } = await madePerson()
  const url = await makeLink(id)
  for (const origin of ['https://evil.example', 'null', `${service.origin}.evil.example`]) {
    const visitor = createVisitor(service)
    assert.equal((await follow(url, visitor, { origin })).status, 400)
    assert.equal(await whoIs(visitor), undefined)
  }
  const token = url.split('/').at(-1)
  assert.equal((await post(createVisitor(service), '/sign-in/link', { token })).status, 404)
  assert.equal(await isGood(url), true)
})

test('a session from before the link is never taken over', async () => {
  const attacker = await signedIn(service)
  const { id, email } = await madePerson()
  const victim = createVisitor(service)
  for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie)
  const before = writeSession(victim, service)['cookie']
  await follow(await makeLink(id), victim)
  assert.notEqual(writeSession(victim, service)['cookie'], before)
  assert.deepEqual([await whoIs(victim), await whoIs(attacker)], [email, attacker.email])
})

test('who has two factors is asked for the code after a link as well', async () => {
  const visitor = await signedIn(service)
  const { body } = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const { totpURI, backupCodes } = body as { totpURI: string; backupCodes: string[] }
  const enabling = { code: readCode(totpURI, Date.now()) }
  assert.equal((await post(visitor, '/two-factor/verify-totp', enabling)).status, 200)
  const { id } = await findPerson(visitor.email)
  const url = await makeLink(id)
  const other = createVisitor(service)
  const { status, headers } = await follow(url, other)
  assert.deepEqual([status, headers.get('location')], [303, '/sign-in/code'])
  assert.equal(await whoIs(other), undefined)
  assert.equal(
    (await call(service, 'GET', '/console/api/person', { headers: writeSession(other, service) }))
      .status,
    401,
  )
  assert.equal((await post(other, '/two-factor/verify-totp', { code: '000000' })).status, 401)
  const [code = ''] = backupCodes
  assert.equal((await post(other, '/two-factor/verify-backup-code', { code })).status, 200)
  assert.equal(await whoIs(other), visitor.email)
  assert.equal(await isGood(url), false)
})

test('a link makes an operator when it is followed, where it says so, and the audit names both', async () => {
  const [{ id, email }, plain] = [await madePerson(), await madePerson()]
  const visitor = createVisitor(service)
  const url = await makeLink(id, { role: 'operator' })
  assert.equal((await findPerson(email)).role, 'customer')
  await follow(url, visitor)
  assert.equal((await findPerson(email)).role, 'operator')
  const operates = await call(service, 'GET', '/operator/v1/people', {
    headers: writeSession(visitor, service),
  })
  assert.equal(operates.status, 200)
  await follow(await makeLink(plain.id), createVisitor(service))
  assert.equal((await findPerson(plain.email)).role, 'customer')
  const { data } = (await operate(service, 'GET', '/audit?limit=8')).json
  const told = data.map(({ action, actor, details }) => [action, actor, details['person_id']])
  assert.deepEqual(told.slice(0, 7), [
    ['session.begun', plain.id, plain.id],
    ['sign_in_link.used', plain.id, plain.id],
    ['sign_in_link.made', 'operator', plain.id],
    ['session.begun', id, id],
    ['person.role_changed', 'operator', id],
    ['sign_in_link.used', id, id],
    ['sign_in_link.made', 'operator', id],
  ])
})

test("an operator's session makes links too, in their own name", async () => {
  const operator = await signedIn(service)
  const { id: operatorId } = await findPerson(operator.email)
  await operate(service, 'PATCH', `/people/${operatorId}`, { role: 'operator' })
  const { id, email } = await madePerson()
  const headers = writeSession(operator, service)
  const path = `/operator/v1/people/${id}/sign-in-links`
  const made = await call(service, 'POST', path, { headers, body: {} })
  const visitor = createVisitor(service)
  await follow(made.json.url, visitor)
  assert.equal(await whoIs(visitor), email)
  const { data } = (await operate(service, 'GET', '/audit?limit=3')).json
  assert.deepEqual(
    data.map(({ actor }) => actor),
    [id, id, operatorId],
  )
})

test('signing out everywhere, or a new password, ends the links of that person alone', async () => {
  const visitor = await signedIn(service)
  const { id } = await findPerson(visitor.email)
  const theirs = await makeLink((await madePerson()).id)
  const ways: readonly (() => Promise<unknown>)[] = [
    () => operate(service, 'POST', `/people/${id}/sign-out`),
    async () => {
      const again = createVisitor(service)
      await again.signIn(visitor.email)
      const headers = writeSession(again, service)
      const ended = await call(service, 'DELETE', '/console/api/sessions', { headers })
      assert.equal(ended.status, 204)
    },
    () => resetPassword(service, visitor.email, 'another password altogether'),
  ]
  for (const [number, way] of ways.entries()) {
    const url = await makeLink(id)
    await way()
    assert.equal((await open(url)).status, 404, `${number}`)
    assert.equal((await follow(url, createVisitor(service))).status, 404)
  }
  assert.equal(await isGood(theirs), true)
})

test('the links of who deletes their account are gone, and no new one can be made', async () => {
  service.clock.set(Date.now())
  const visitor = await signedIn(service)
  const { id } = await findPerson(visitor.email)
  const url = await makeLink(id)
  const headers = writeSession(visitor, service)
  const removal = { headers, body: { password: PASSWORD } }
  assert.equal((await call(service, 'DELETE', '/console/api/person', removal)).status, 204)
  assert.equal((await open(url)).status, 404)
  assert.equal((await follow(url, createVisitor(service))).status, 404)
  assertRefused(await operate(service, 'POST', `/people/${id}/sign-in-links`, {}), 'conflict')
})

test("a link shows no address to be somebody's: whoever has signed up with it stays outside", async () => {
  const email = newAddress('squatter')
  await post(createVisitor(service), '/sign-up/email', { email, password: PASSWORD, name: 'Eve' })
  const { id } = await findPerson(email)
  const owner = createVisitor(service)
  await follow(await makeLink(id), owner)
  assert.equal(await whoIs(owner), email)
  assert.equal((await findPerson(email)).email_verified, false)
  assert.equal((await trySignIn(service, email)).status, 403)
})

test('the first person, whom no mail reaches, gives their own address, and has no second credit', async () => {
  const email = 'first@localhost'
  await operate(service, 'POST', '/accounts', { email })
  const { id } = await findPerson(email)
  const wish = { personId: id, lifetimeMs: MINUTE_MS, makesOperator: true }
  const { url } = await signInLinks.make(wish, 'start')
  const visitor = createVisitor(service)
  await follow(url.replace(/^.*(?=\/link)/, service.origin), visitor)
  const headers = writeSession(visitor, service)
  const { json: person } = await call(service, 'GET', '/console/api/person', { headers })
  assert.deepEqual([person.role, person.has_password], ['operator', false])
  const resets = await makeLink(id)
  const newEmail = newAddress('own')
  const changed = await post(visitor, '/change-email', { newEmail })
  assert.deepEqual([changed.status, changed.body], [200, { status: true }])
  assert.equal((await findPerson(newEmail)).email_verified, false)
  assert.equal((await open(resets)).status, 404, 'what the old address was given is void')
  const verifying = `/verify-email?token=${lastToken(service, newEmail)}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const verified = await visitor.fetch(verifying, { method: 'POST', headers: form })
  assert.equal(verified.status, 303)
  assert.equal((await findPerson(newEmail)).email_verified, true)
  assert.equal((await resetPassword(service, newEmail, 'a first password of mine')).status, 200)
  const own = createVisitor(service)
  await own.signIn(newEmail, 'a first password of mine')
  const ownHeaders = writeSession(own, service)
  const { json: known } = await call(service, 'GET', '/console/api/person', { headers: ownHeaders })
  assert.deepEqual([known.id, known.role, known.has_password], [id, 'operator', true])
  for (const again of [true, false]) {
    if (again) await follow(await makeLink(id), createVisitor(service))
    const { data } = (await call(service, 'GET', '/console/api/accounts', { headers: ownHeaders }))
      .json
    assert.deepEqual(
      data.map((account) => account.balance_eur),
      ['1.00'],
    )
  }
})

test('an operator counts as able to sign in with a session, a password or a passkey, not with the role', async () => {
  const { identity } = service.app
  for (const { id } of await listOperators()) {
    await operate(service, 'PATCH', `/people/${id}`, { role: 'customer' })
  }
  assert.equal(await identity.operatorCanSignIn(), false)
  const { id } = await madePerson()
  await operate(service, 'PATCH', `/people/${id}`, { role: 'operator' })
  assert.equal(await identity.operatorCanSignIn(), false)
  await follow(await makeLink(id), createVisitor(service))
  assert.equal(await identity.operatorCanSignIn(), true)
  await operate(service, 'POST', `/people/${id}/sign-out`)
  assert.equal(await identity.operatorCanSignIn(), false)
  const other = await signedIn(service)
  const { id: otherId } = await findPerson(other.email)
  await operate(service, 'PATCH', `/people/${otherId}`, { role: 'operator' })
  await operate(service, 'POST', `/people/${otherId}/sign-out`)
  assert.equal(await identity.operatorCanSignIn(), true, 'by their password')
})

async function listOperators() {
  return (await operate(service, 'GET', '/people?role=operator&limit=100')).json.data
}
