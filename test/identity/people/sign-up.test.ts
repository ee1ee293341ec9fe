import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { AccountsTables } from '../../../src/accounts/tables.ts'
import { operate } from '../../support/call.ts'
import {
  codeOf,
  lastToken,
  mailsTo,
  newAddress,
  post,
  readReply,
  resetPassword,
  servePeople,
  trySignIn,
  whoIs,
  type Reply,
} from '../../support/identity/people.ts'
import { createVisitor, PASSWORD } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })

function signUp(email: string, more: object = {}): Promise<Reply> {
  const body = { email, password: PASSWORD, name: 'Somebody', ...more }
  return post(createVisitor(service), '/sign-up/email', body)
}

/** Of an answer, all that does not differ between any two people. */
function describeShape({ status, body, headers }: Reply): object {
  const { user, ...others } = body as { user: Record<string, unknown> }
  const fields = Object.entries(user).map(([name, value]) => {
    const own = ['id', 'email', 'createdAt', 'updatedAt'].includes(name)
    return [name, own ? typeof value : value]
  })
  return { status, others, fields, names: [...headers.keys()] }
}

test('who signs up is known once their address is confirmed, and signed in by neither', async () => {
  const email = newAddress()
  const visitor = createVisitor(service)
  const signedUp = await post(visitor, '/sign-up/email', { email, password: PASSWORD, name: 'Ana' })
  assert.deepEqual([signedUp.status, (signedUp.body as { token: unknown }).token], [200, null])
  assert.equal(codeOf(await trySignIn(service, email)), 'EMAIL_NOT_VERIFIED')
  const page = mailsTo(service, email)[0]?.link ?? ''
  assert.ok(page.startsWith(`${service.origin}/verify-email?token=`))
  const link = `/api/auth/verify-email?token=${lastToken(service, email)}`
  assert.equal((await visitor.fetch(link)).status, 200)
  assert.equal(await whoIs(visitor), undefined)
  await visitor.signIn(email)
  assert.equal(await whoIs(visitor), email)
  // Again it does nothing.
  assert.equal((await createVisitor(service).fetch(link)).status, 200)
  const { json } = await operate(service, 'GET', `/accounts?email=${email}`)
  assert.deepEqual([json.data.length, json.data[0]?.balance_eur], [1, '1.00'])
})

test('a crash between the confirmation and the free credit costs nobody their euro', async () => {
  const email = newAddress()
  await signUp(email)
  // As it is left where the service dies right after the address was confirmed.
  await withTables<AccountsTables>(service.store.db)
    .updateTable('person')
    .set({ email_verified: 1 })
    .where('email', '=', email)
    .execute()
  await createVisitor(service).signIn(email)
  await createVisitor(service).signIn(email)
  const { json } = await operate(service, 'GET', `/accounts?email=${email}`)
  assert.deepEqual([json.data.length, json.data[0]?.balance_eur], [1, '1.00'])
})

test('a sign-up with a known address is answered as any other, and its owner is told', async () => {
  const email = newAddress()
  const fresh = await signUp(email)
  const again = await signUp(email.toUpperCase())
  await createVisitor(service).fetch(`/api/auth/verify-email?token=${lastToken(service, email)}`)
  const confirmed = await signUp(email, { password: 'the password of somebody else' })
  assert.deepEqual(describeShape(again), describeShape(fresh))
  assert.deepEqual(describeShape(confirmed), describeShape(fresh))
  const [, ...known] = mailsTo(service, email)
  assert.equal(known.length, 2)
  for (const mail of known) {
    assert.match(mail.subject, /have an account/)
    assert.equal(mail.link, `${service.origin}/forgot-password`)
  }
  assert.equal((await trySignIn(service, email)).status, 200)
})

test('of many sign-ups of one new address at once none differs', async () => {
  for (let round = 0; round < 3; round += 1) {
    const email = newAddress()
    const replies = await Promise.all(Array.from({ length: 6 }, () => signUp(email)))
    for (const reply of replies) assert.deepEqual(describeShape(reply), describeShape(replies[0]!))
    assert.equal((await operate(service, 'GET', `/accounts?email=${email}`)).json.data.length, 1)
  }
})

test("who signs up with somebody else's address has nothing once its owner comes", async () => {
  const email = newAddress('victim')
  await signUp(email, { password: 'the password of the attacker' })
  // The owner signs up too, is told that there is an account, and sets a password of their own.
  await signUp(email)
  const reset = await resetPassword(service, email, 'the password of its owner')
  assert.equal(reset.status, 200)
  assert.equal(codeOf(await trySignIn(service, email, 'the password of the attacker')), WRONG)
  assert.equal((await trySignIn(service, email, 'the password of its owner')).status, 200)
  const { json } = await operate(service, 'GET', `/accounts?email=${email}`)
  assert.equal(json.data[0]?.balance_eur, '1.00')
})

const WRONG = 'INVALID_EMAIL_OR_PASSWORD'

test('sign-in, reset and resend answer an unknown address as they do a known one', async () => {
  const [known, unknown] = [newAddress(), newAddress()]
  await signUp(known)
  const asks: readonly [string, object][] = [
    ['/sign-in/email', { password: 'not the password' }],
    ['/request-password-reset', {}],
    ['/send-verification-email', {}],
  ]
  for (const [path, body] of asks) {
    const ask = (email: string) => post(createVisitor(service), path, { email, ...body })
    const [one, other] = [await ask(known), await ask(unknown)]
    assert.deepEqual([one.status, one.body], [other.status, other.body])
    assert.deepEqual([...one.headers.keys()], [...other.headers.keys()])
  }
  assert.equal(mailsTo(service, unknown).length, 0)
  assert.equal(mailsTo(service, known).length, 3)
})

test('mail goes out in the language of the page, else of the browser', async () => {
  const languages: readonly [Record<string, string>, RegExp][] = [
    [{}, /^Confirm your/],
    [{ 'accept-language': 'pt-BR,pt;q=0.9' }, /^Confirme o seu/],
    [{ 'accept-language': 'pt', 'x-parley-locale': 'en' }, /^Confirm your/],
  ]
  for (const [headers, subject] of languages) {
    const email = newAddress()
    await createVisitor(service).fetch('/api/auth/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email, password: PASSWORD, name: 'Ana' }),
    })
    assert.match(mailsTo(service, email)[0]?.subject ?? '', subject)
  }
})

test('a mailbox is not flooded by whoever asks for mail in its name', async () => {
  const email = newAddress()
  for (let count = 0; count < 8; count += 1) await signUp(email)
  for (let count = 0; count < 8; count += 1) {
    await post(createVisitor(service), '/request-password-reset', { email })
  }
  // One to confirm, five that tell of the others, and five to set a password.
  assert.equal(mailsTo(service, email).length, 11)
  service.clock.advance(3_600_000)
  await signUp(email)
  assert.equal(mailsTo(service, email).length, 12)
})

test('texts that cannot be kept are refused, and no text is a failure', async () => {
  const email = newAddress()
  const refused: readonly [object, string][] = [
    [{ name: '' }, 'INVALID_NAME'],
    [{ name: '   ' }, 'INVALID_NAME'],
    [{ name: 'x'.repeat(101) }, 'INVALID_NAME'],
    [{ name: 7 }, 'INVALID_NAME'],
    [{ name: 'a\0b' }, 'INVALID_TEXT'],
    [{ email: 'a\0b@example.com' }, 'INVALID_TEXT'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'INVALID_EMAIL'],
    [{ email: 'nobody' }, 'VALIDATION_ERROR'],
    [{ password: 'too short' }, 'PASSWORD_TOO_SHORT'],
    [{ password: 'x'.repeat(201) }, 'PASSWORD_TOO_LONG'],
    [{ image: 'javascript:alert(1)' }, 'INVALID_IMAGE'],
    [{ image: 'http://pictures.example/me.png' }, 'INVALID_IMAGE'],
  ]
  for (const [more, code] of refused) {
    const reply = await signUp(email, more)
    assert.deepEqual([reply.status, codeOf(reply)], [400, code], JSON.stringify(more))
  }
  for (const more of [{ plan: 'PRO' }, { role: 'operator' }, { emailVerified: true }]) {
    const reply = await signUp(newAddress(), more)
    const { user } = reply.body as { user?: Record<string, unknown> }
    assert.ok(reply.status === 400 || (user?.['emailVerified'] === false && reply.status === 200))
    assert.ok(!user || (user['plan'] === 'FREE' && user['role'] === 'customer'))
  }
  assert.equal(
    (await signUp(email, { name: '😀'.repeat(100), password: 'é\\u0000 é\\u0000' })).status,
    200,
  )
})

test('a body that is too long, or no JSON, is told so', async () => {
  const visitor = createVisitor(service)
  const send = async (body: string, type = 'application/json') =>
    readReply(
      await visitor.fetch('/api/auth/sign-up/email', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      }),
    )
  const long = await send(JSON.stringify({ name: 'x'.repeat(70_000) }))
  assert.deepEqual([long.status, codeOf(long)], [413, 'BODY_TOO_LARGE'])
  for (const body of ['{', '[]', 'null', '"a"', `${'['.repeat(30_000)}${']'.repeat(30_000)}`]) {
    const reply = await send(body)
    assert.deepEqual([reply.status, codeOf(reply)], [400, 'INVALID_JSON'], body.slice(0, 9))
  }
  const deep = await send(`{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)
  assert.equal(deep.status, 400)
  const form = 'email=a%40example.com&password=0123456789&name=a'
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    assert.equal((await send(form, type)).status, 415, type)
  }
  assert.deepEqual(
    service.logged.filter((line) => /unexpected/.test(line)),
    [],
  )
})
