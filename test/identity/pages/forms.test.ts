import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMailedToken } from '../../support/browser/people.ts'
import { createPageVisitor, type PageVisitor } from '../../support/identity/page-visitor.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const visit = (): PageVisitor => createPageVisitor(service)

async function makePerson(email: string): Promise<void> {
  const visitor = visit()
  const fields = { name: 'Ana', email, password: PASSWORD }
  assert.equal((await visitor.send('/sign-up', fields)).status, 200)
  const token = await readMailedToken(service, email)
  assert.equal((await visitor.send(`/verify-email?token=${token}`, {})).status, 303)
}

await makePerson('ana@example.com')

test('who signs in is led to the console, has an account page, and signs out of it', async () => {
  const visitor = visit()
  const fields = { email: ' Ana@Example.com ', password: PASSWORD }
  const signedIn = await visitor.send('/sign-in', fields)
  assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/console'])
  const account = await visitor.get('/account')
  assert.match(account.text, /ana@example\.com/)
  assert.match(account.text, />Free</)
  const again = await visitor.get('/sign-in')
  assert.deepEqual([again.status, again.headers.get('location')], [303, '/console'])
  assert.equal((await visitor.get('/sign-out')).status, 200)
  assert.equal((await visitor.send('/sign-out', {})).status, 303)
  assert.equal((await visitor.get('/account')).headers.get('location'), '/sign-in?next=%2Faccount')
})

test('all cookies of one answer are kept: the session, and the language', async () => {
  const visitor = visit()
  await visitor.send('/sign-in?lang=pt', { email: 'ana@example.com', password: PASSWORD })
  assert.match((await visitor.get('/account')).text, /<html lang="pt-PT">[^]*ana@example\.com/)
})

test('a wrong password is told at its field; the address is kept, the password is not', async () => {
  const typed = 'not the password at all'
  const { status, text } = await visit().send('/sign-in', {
    email: 'ana@example.com',
    password: typed,
  })
  assert.equal(status, 401)
  assert.match(text, /<title>Error: Sign in – Parley<\/title>/)
  assert.match(text, /id="password-problem">The address or the password is wrong/)
  assert.match(text, /aria-describedby="password-problem"/)
  assert.match(text, /value="ana@example.com"/)
  assert.ok(!text.includes(typed))
})

test('what is wrong with each field of a sign-up is told at once, and nothing is made', async () => {
  const mails = service.mailer.mails.length
  const sent = { name: ' ', email: 'ana', password: 'short' }
  const { status, text } = await visit().send('/sign-up', sent)
  assert.equal(status, 422)
  for (const field of ['name', 'email', 'password']) {
    assert.ok(text.includes(`href="#${field}"`), field)
    assert.ok(text.includes(`id="${field}-problem"`), field)
  }
  assert.equal(service.mailer.mails.length, mails)
})

test('no page tells whether an address has an account', async () => {
  const strip = (text: string): string => text.replaceAll(/(ana|nobody)@example\.com/g, '@')
  const known = 'ana@example.com'
  const unknown = 'nobody@example.com'
  const forms = [
    ['/forgot-password', {}],
    ['/verify-email/resend', {}],
    ['/sign-in', { password: 'a wrong password' }],
    ['/sign-up', { name: 'Ana', password: PASSWORD }],
  ] as const
  for (const [path, fields] of forms) {
    const one = await visit().send(path, { ...fields, email: known })
    const other = await visit().send(path, { ...fields, email: unknown })
    assert.equal(one.status, other.status, path)
    assert.equal(strip(one.text), strip(other.text), path)
  }
})

test('opening the link in a mail uses nothing up', async () => {
  const email = 'scanned@example.com'
  await visit().send('/sign-up', { name: 'Rui', email, password: PASSWORD })
  const token = await readMailedToken(service, email)
  for (let time = 0; time < 3; time += 1) {
    const { status, text } = await visit().get(`/verify-email?token=${token}`)
    assert.equal(status, 200)
    assert.match(text, /Confirm my address/)
  }
  const before = await visit().send('/sign-in', { email, password: PASSWORD })
  assert.equal(before.status, 403)
  assert.match(before.text, /not been confirmed yet/)
  const verified = await visit().send(`/verify-email?token=${token}`, {})
  assert.equal(verified.headers.get('location'), '/sign-in?notice=verified')
  assert.equal((await visit().send('/sign-in', { email, password: PASSWORD })).status, 303)
})

test('a new password is chosen by the link in a mail, once', async () => {
  const email = 'forgetful@example.com'
  await makePerson(email)
  const before = await readMailedToken(service, email)
  assert.equal((await visit().send('/forgot-password', { email })).status, 200)
  const path = `/reset-password?token=${await readMailedToken(service, email, before)}`
  assert.match((await visit().get(path)).text, /autocomplete="new-password"/)
  const short = await visit().send(path, { password: 'short' })
  assert.equal(short.status, 422)
  const password = 'quite another battery staple'
  const done = await visit().send(path, { password })
  assert.equal(done.headers.get('location'), '/sign-in?notice=reset')
  assert.match((await visit().get('/sign-in?notice=reset')).text, /has been changed/)
  assert.equal((await visit().send('/sign-in', { email, password })).status, 303)
  assert.equal((await visit().send('/sign-in', { email, password: PASSWORD })).status, 401)
  const twice = await visit().send(path, { password })
  assert.equal(twice.status, 410)
  assert.match(twice.text, /no longer works/)
})

test('links that are wrong, old or cut short lead to a way on', async () => {
  for (const path of ['/verify-email', '/reset-password', '/change-email']) {
    for (const query of ['', '?token=', '?token=%00', `?token=${'x'.repeat(4_000)}`]) {
      const { status, text } = await visit().send(path + query, { password: PASSWORD })
      assert.equal(status, 410, path + query)
      assert.match(text, /no longer works/)
    }
  }
})

test('who tries too often is told how long to wait', async () => {
  const visitor = visit()
  const fields = { email: 'ana@example.com', password: 'a wrong password' }
  let reply = await visitor.send('/sign-in', fields)
  for (let time = 0; time < 20 && reply.status !== 429; time += 1) {
    reply = await visitor.send('/sign-in', fields)
  }
  assert.equal(reply.status, 429)
  assert.match(
    reply.text,
    /Too many attempts\. (Try again in \d+ (second|minute)s?\.|Wait a few minutes)/,
  )
  assert.match(reply.text, /value="ana@example\.com"/)
})

const UNUSABLE = ['a\0b@example.com', 'ana@example.com\n', '\u{1f}@example.com']

test('characters that cannot be kept are told of at their field', async () => {
  for (const email of UNUSABLE.map((one) => `x${one}`)) {
    for (const path of ['/sign-in', '/sign-up', '/forgot-password', '/verify-email/resend']) {
      const fields = { email, name: 'A\0', password: `${PASSWORD}\0` }
      const { status, text } = await visit().send(path, fields)
      assert.equal(status, 422, path)
      assert.match(text, /id="\w+-problem"/)
    }
  }
  const code = await visit().send('/sign-in/code', { code: '12\x003456' })
  assert.equal(code.status, 422)
})

test('halves of surrogate pairs and bytes that are no text break nothing', async () => {
  for (const piece of ['%ED%A0%80', '%FF%FE', '%', '%zz', '%F0%9F%92']) {
    const body = `name=A${piece}&email=half${piece}@example.com&password=${PASSWORD}${piece}`
    const { status } = await visit().send('/sign-up', body)
    assert.ok([200, 400, 422].includes(status), `${piece} ${status}`)
  }
})

test('what was typed is shown as a text, and never becomes a part of the page', async () => {
  const attack = '"><script>alert(1)</script>'
  const { text } = await visit().send('/sign-up', { name: attack, email: attack, password: '' })
  assert.ok(!text.includes('<script>alert'))
  assert.match(text, /value="&quot;&gt;&lt;script&gt;/)
})

test('a form larger than any of ours is refused, on a page', async () => {
  const { status, text, headers } = await visit().send('/sign-in', { email: 'a'.repeat(17_000) })
  assert.equal(status, 400)
  assert.match(String(headers.get('content-type')), /^text\/html/)
  assert.match(text, /<h1>/)
})
