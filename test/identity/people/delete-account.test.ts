import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import { identityTables, type Identity } from '#identity/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, chat, hello, operate, type Answer } from '../../support/call.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import {
  mailsTo,
  newAddress,
  post,
  servePeople,
  signedIn,
  trySignIn,
  whoIs,
} from '../../support/identity/people.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })

/** Sessions begin by the clock of the system. */
beforeEach(() => service.clock.set(Date.now()))

const db = withTables<IdentityTables>(service.store.db)

function remove(visitor: Visitor, body: unknown): Promise<Answer> {
  const headers = writeSession(visitor, service)
  return call(service, 'DELETE', '/console/api/person', { headers, body })
}

async function accountOf(email: string) {
  const { json } = await operate(service, 'GET', `/accounts?email=${email}`)
  return json.data[0]
}

test('whoever deletes their account is forgotten, and their keys stop at once', async () => {
  const visitor = await signedIn(service)
  const { email } = visitor
  const elsewhere = createVisitor(service)
  await elsewhere.signIn(email)
  const account = await accountOf(email)
  const made = await operate(service, 'POST', `/accounts/${account?.id}/keys`, { name: 'mine' })
  assert.equal((await chat(service, made.json.key, 'air', hello)).status, 200)
  const { json: person } = await call(service, 'GET', '/console/api/person', {
    headers: writeSession(visitor, service),
  })

  assertRefused(await remove(visitor, {}), 'wrong_password')
  assertRefused(await remove(visitor, { password: 'not the password' }), 'wrong_password')
  assert.equal(await whoIs(visitor), email)
  assert.equal((await remove(visitor, { password: PASSWORD })).status, 204)

  assertRefused(await chat(service, made.json.key, 'air', hello), 'invalid_api_key')
  assert.deepEqual([await whoIs(visitor), await whoIs(elsewhere)], [undefined, undefined])
  assert.equal((await trySignIn(service, email)).status, 401)
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /was deleted/)
  assert.equal(await accountOf(email), undefined)
  for (const table of Object.keys(identityTables) as (keyof IdentityTables)[]) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute())
    assert.ok(!rows.includes(email), table)
    if (table !== 'credited_address') assert.ok(!rows.includes(person.id), table)
  }
  const { json } = await operate(service, 'GET', '/ledger/verify')
  assert.equal(json.ok, true)
})

test('the address can sign up again, and gets no second free credit', async () => {
  const visitor = await signedIn(service)
  const { email } = visitor
  assert.equal((await accountOf(email))?.balance_eur, '1.00')
  assert.equal((await remove(visitor, { password: PASSWORD })).status, 204)
  await createVisitor(service).signUp(email)
  assert.equal((await trySignIn(service, email)).status, 200)
  assert.equal((await accountOf(email))?.balance_eur, '0.00')
})

test('nor does the address of somebody whom the operator had made', async () => {
  const email = newAddress()
  await operate(service, 'POST', '/accounts', { email })
  const visitor = createVisitor(service)
  await post(visitor, '/request-password-reset', { email })
  const token = new URL(mailsTo(service, email)[0]?.link ?? '').searchParams.get('token')
  await post(visitor, '/reset-password', { token, newPassword: PASSWORD })
  await visitor.signIn(email)
  assert.equal((await remove(visitor, { password: PASSWORD })).status, 204)
  await createVisitor(service).signUp(email)
  assert.equal((await accountOf(email))?.balance_eur, '0.00')
})

test('it takes a sign-in that is recent', async () => {
  const visitor = await signedIn(service)
  service.clock.advance(10 * 60_000 + 5_000)
  assertRefused(await remove(visitor, { password: PASSWORD }), 'sign_in_again')
  assert.equal(await whoIs(visitor), visitor.email)
  service.clock.set(Date.now())
  assert.equal((await remove(visitor, { password: PASSWORD })).status, 204)
})

test('guesses at the password are slowed here as well', async () => {
  const visitor = await signedIn(service)
  for (let count = 0; count < 5; count += 1) {
    assertRefused(await remove(visitor, { password: 'not the password' }), 'wrong_password')
  }
  assertRefused(await remove(visitor, { password: PASSWORD }), 'too_many_attempts')
  service.clock.advance(60_000)
  assert.equal((await remove(visitor, { password: PASSWORD })).status, 204)
})

test('what has expired is swept, and nothing else', async () => {
  const visitor = await signedIn(service)
  await trySignIn(service, newAddress(), 'not the password')
  await post(createVisitor(service), '/request-password-reset', { email: visitor.email })
  const { identity }: { readonly identity: Identity } = service.app
  const count = async (table: 'session' | 'verification' | 'lock_out' | 'rate_limit') =>
    (await db.selectFrom(table).selectAll().execute()).length
  const kept = await count('session')
  await identity.sweep()
  assert.equal(await count('session'), kept)
  assert.ok((await count('verification')) > 0 && (await count('lock_out')) > 0)
  const old = { model: 'AccessToken', payload: '{}', created_at: 1, expires_at: 2 }
  await db
    .insertInto('oidc_artifact')
    .values([
      { ...old, id: 'old' },
      { ...old, id: 'good', expires_at: null },
      { ...old, model: 'Grant', id: 'good', expires_at: Number.MAX_SAFE_INTEGER },
    ])
    .execute()
  service.clock.advance(8 * 24 * 3_600_000)
  await identity.sweep()
  for (const table of ['session', 'verification', 'lock_out', 'rate_limit'] as const) {
    assert.equal(await count(table), 0, table)
  }
  const left = await db
    .selectFrom('oidc_artifact')
    .select('id')
    .where('payload', '=', '{}')
    .execute()
  assert.deepEqual(
    left.map(({ id }) => id),
    ['good', 'good'],
  )
})
