import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTables, type Engine } from '#platform/store/index.ts'
import { openEmptyStore, testOnEachEngine } from '../../support/each-engine.ts'
import {
  codeOf,
  mailsTo,
  newAddress,
  post,
  resetPassword,
  servePeople,
  signedIn,
  trySignIn,
  type Reply,
} from '../../support/identity/people.ts'
import { createVisitor, PASSWORD } from '../../support/identity/visitor.ts'
import { serveFor, type Scope, type Service, type ServiceOptions } from '../../support/service.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'

const WRONG = 'not the password of it'

async function serveOn(
  scope: Scope,
  engine: Engine,
  options: ServiceOptions = {},
): Promise<Service> {
  if (engine === 'sqlite') return servePeople(scope, { embedded: true, ...options })
  const { store, databaseUrl = '' } = await openEmptyStore(scope, engine)
  await store.close()
  return servePeople(scope, { databaseUrl, ...options })
}

async function guess(service: Service, email: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1) {
    statuses.push((await trySignIn(service, email, WRONG)).status)
  }
  return statuses
}

function waitOf(reply: Reply): number {
  assert.deepEqual([reply.status, codeOf(reply)], [429, 'TOO_MANY_ATTEMPTS'])
  return Number(reply.headers.get('retry-after'))
}

testOnEachEngine('five wrong guesses in a row end in a wait that doubles', async (t, engine) => {
  const service = await serveOn(t, engine)
  const { email } = await signedIn(service)
  assert.deepEqual(await guess(service, email, 5), [401, 401, 401, 401, 401])
  const waits: number[] = []
  for (let round = 0; round < 6; round += 1) {
    // The right password is refused just as a wrong one is.
    const [right, wrong] = [await trySignIn(service, email), await trySignIn(service, email, WRONG)]
    assert.deepEqual([right.status, right.body], [wrong.status, wrong.body])
    const waitS = waitOf(right)
    assert.equal(waitOf(wrong), waitS)
    waits.push(waitS)
    service.clock.advance(waitS * 1_000 - 1)
    waitOf(await trySignIn(service, email))
    service.clock.advance(1)
    assert.deepEqual(await guess(service, email, 1), [401])
  }
  assert.deepEqual(waits, [60, 120, 240, 480, 900, 900])
  service.clock.advance(900_000)
  assert.equal((await trySignIn(service, email)).status, 200)
  // All is forgotten.
  assert.deepEqual(await guess(service, email, 4), [401, 401, 401, 401])
  assert.equal((await trySignIn(service, email)).status, 200)
})

testOnEachEngine('of fifty guesses at once at most five are tried', async (t, engine) => {
  const service = await serveOn(t, engine)
  const { email } = await signedIn(service)
  const all = await Promise.all(Array.from({ length: 50 }, () => trySignIn(service, email, WRONG)))
  assert.equal(all.filter(({ status }) => status === 401).length, 5)
  assert.equal(all.filter(({ status }) => status === 429).length, 45)
  const [row] = await withTables<IdentityTables>(service.store.db)
    .selectFrom('lock_out')
    .selectAll()
    .execute()
  assert.equal(row?.failures, 5)
  assert.doesNotMatch(JSON.stringify(row), new RegExp(email))
})

testOnEachEngine('an address that nobody has is locked like any other', async (t, engine) => {
  const service = await serveOn(t, engine)
  const { email } = await signedIn(service)
  const nobody = newAddress('nobody')
  const [known, unknown]: Reply[][] = [[], []]
  for (let count = 0; count < 7; count += 1) {
    known?.push(await trySignIn(service, email.toUpperCase(), WRONG))
    unknown?.push(await trySignIn(service, nobody, WRONG))
  }
  const describe = ({ status, body, headers }: Reply) => [status, body, [...headers.keys()]]
  assert.deepEqual(known?.map(describe), unknown?.map(describe))
})

testOnEachEngine('who is locked out gets in by a link of a mail at once', async (t, engine) => {
  const service = await serveOn(t, engine)
  const { email } = await signedIn(service)
  await guess(service, email, 6)
  assert.equal((await resetPassword(service, email, 'a new password of theirs')).status, 200)
  assert.equal((await trySignIn(service, email, 'a new password of theirs')).status, 200)
})

testOnEachEngine('whoever holds a session cannot guess the password there', async (t, engine) => {
  const service = await serveOn(t, engine)
  const visitor = await signedIn(service)
  const asks: readonly [string, object][] = [
    ['/change-password', { currentPassword: WRONG, newPassword: 'one of the attacker' }],
    ['/two-factor/enable', { password: WRONG }],
    ['/two-factor/get-totp-uri', { password: WRONG }],
  ]
  const replies: Reply[] = []
  for (let count = 0; count < 3; count += 1) {
    for (const [path, body] of asks) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.9.${count}.1` }
      const response = await visitor.fetch(`/api/auth${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      replies.push({
        status: response.status,
        body: await response.json(),
        headers: response.headers,
      })
    }
  }
  assert.deepEqual(
    replies.map(({ status }) => status),
    [400, 400, 400, 400, 400, 429, 429, 429, 429],
  )
  // The door itself stays open: a thief of a session locks nobody out.
  assert.equal((await trySignIn(service, visitor.email)).status, 200)
})

test('a flood of sign-ins is turned away before it piles up', async (t) => {
  const service = await servePeople(t)
  const flood = Array.from({ length: 500 }, () => trySignIn(service, newAddress(), WRONG))
  const replies = await Promise.all(flood)
  const busy = replies.filter((reply) => codeOf(reply) === 'TOO_MANY_CALLS')
  assert.ok(busy.length > 0 && busy.length <= 244, String(busy.length))
  assert.ok(busy.every(({ status }) => status === 503))
  assert.equal(replies.filter(({ status }) => status === 401).length, 500 - busy.length)
  const { email } = await signedIn(service)
  assert.equal((await trySignIn(service, email)).status, 200)
})

test('replicas count together', async (t) => {
  const { store, databaseUrl = '' } = await openEmptyStore(t, 'postgres')
  await store.close()
  const [one, other] = [
    await servePeople(t, { databaseUrl }),
    await servePeople(t, { databaseUrl }),
  ]
  const { email } = await signedIn(one)
  assert.deepEqual(await guess(one, email, 3), [401, 401, 401])
  assert.deepEqual(await guess(other, email, 3), [401, 401, 429])
  waitOf(await trySignIn(one, email))
})

testOnEachEngine('one address asks so often, however it says it is called', async (t, engine) => {
  const service = await serveOn(t, engine, { trustedProxies: [] })
  const statuses: number[] = []
  for (let count = 0; count < 5; count += 1) {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': `10.0.0.${count}`,
      'x-real-ip': `10.0.0.${count}`,
      'x-parley-address': `10.0.0.${count}`,
      forwarded: `for=10.0.0.${count}`,
    }
    const body = JSON.stringify({ email: newAddress(), password: PASSWORD })
    const visitor = createVisitor(service)
    const response = await visitor.fetch('/api/auth/sign-in/email', {
      method: 'POST',
      headers,
      body,
    })
    statuses.push(response.status)
    if (response.status === 429) assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
  }
  assert.deepEqual(statuses, [401, 401, 401, 429, 429])
})

testOnEachEngine('behind a trusted proxy it is the address that it tells', async (t, engine) => {
  const service = await serveOn(t, engine)
  const ask = async (address: string) => {
    const headers = { 'x-forwarded-for': address, 'x-parley-address': newAddress() }
    const visitor = createVisitor(service)
    const response = await visitor.fetch('/api/auth/request-password-reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: newAddress() }),
    })
    return response.status
  }
  // What a caller puts before what the proxy adds is worth nothing.
  for (const other of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
    assert.equal(await ask(`${other}, 10.7.0.1`), 200)
  }
  assert.equal(await ask('4.4.4.4, 10.7.0.1'), 429)
  assert.equal(await ask('10.7.0.2'), 200)
})

test('without mail nobody signs up, and who is known goes on', async (t) => {
  const service = await serveFor(t, { identity: true, trustedProxies: ['127.0.0.1'] })
  const visitor = await signedIn(service)
  const sent = service.mailer.mails.length
  Object.assign(service.mailer, { available: false })
  const asks: readonly [string, object][] = [
    ['/sign-up/email', { email: newAddress(), password: PASSWORD, name: 'Ana' }],
    ['/send-verification-email', { email: visitor.email }],
    ['/request-password-reset', { email: visitor.email }],
    ['/change-email', { newEmail: newAddress() }],
  ]
  for (const [path, body] of asks) {
    const reply = await post(visitor, path, body)
    assert.deepEqual([reply.status, codeOf(reply)], [503, 'MAIL_UNAVAILABLE'])
  }
  assert.equal(service.mailer.mails.length, sent)
  assert.equal((await trySignIn(service, visitor.email)).status, 200)
  assert.equal(mailsTo(service, visitor.email).length, 1)
})
