import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as client from 'openid-client'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
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
  signedIn,
  trySignIn,
  whoIs,
} from '../../support/identity/people.ts'
import { registerClient } from '../../support/identity/register-client.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })
const REDIRECT_URI = 'https://app.example.com/callback'
await registerClient(service, { clientId: 'chat', kind: 'public', redirectUris: [REDIRECT_URI] })

const NEXT = 'another password altogether'

/** The access token and refresh token that an app has of who is signed in. */
async function letAppIn(visitor: Visitor) {
  const config = await client.discovery(new URL(service.origin), 'chat', undefined, client.None(), {
    // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
    execute: [client.allowInsecureRequests],
  })
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'some state',
  })
  const { callback } = await visitor.authorize(url)
  assert.ok(callback)
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: 'some state',
  })
  const isGood = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    return (await fetch(`${service.origin}/api/oidc/userinfo`, { headers })).status === 200
  }
  const canRefresh = () =>
    client.refreshTokenGrant(config, tokens.refresh_token ?? '').then(
      () => true,
      () => false,
    )
  return { isGood, canRefresh }
}

test('a new password ends every session, what apps have, and the old password', async () => {
  const visitor = await signedIn(service)
  const app = await letAppIn(visitor)
  assert.equal(await app.isGood(), true)
  assert.equal((await resetPassword(service, visitor.email, NEXT)).status, 200)
  assert.equal(await whoIs(visitor), undefined)
  assert.deepEqual([await app.isGood(), await app.canRefresh()], [false, false])
  assert.equal((await trySignIn(service, visitor.email)).status, 401)
  assert.equal((await trySignIn(service, visitor.email, NEXT)).status, 200)
  assert.match(mailsTo(service, visitor.email).at(-1)?.subject ?? '', /password was changed/)
})

test('a changed password ends every other session and what apps have', async () => {
  const visitor = await signedIn(service)
  const elsewhere = createVisitor(service)
  await elsewhere.signIn(visitor.email)
  const app = await letAppIn(visitor)
  const change = { currentPassword: PASSWORD, newPassword: NEXT, revokeOtherSessions: false }
  const wrong = await post(visitor, '/change-password', {
    ...change,
    currentPassword: 'not it at all',
  })
  assert.deepEqual([wrong.status, codeOf(wrong)], [400, 'INVALID_PASSWORD'])
  assert.deepEqual([await whoIs(elsewhere), await app.isGood()], [visitor.email, true])
  assert.equal((await post(visitor, '/change-password', change)).status, 200)
  assert.deepEqual([await whoIs(visitor), await whoIs(elsewhere)], [visitor.email, undefined])
  assert.deepEqual([await app.isGood(), await app.canRefresh()], [false, false])
  assert.match(mailsTo(service, visitor.email).at(-1)?.subject ?? '', /password was changed/)
})

test('a link sets a password once, and a new password makes all older links worthless', async () => {
  const { email } = await signedIn(service)
  const stranger = createVisitor(service)
  await post(stranger, '/request-password-reset', { email })
  const older = lastToken(service, email)
  const page = mailsTo(service, email).at(-1)?.link ?? ''
  assert.ok(page.startsWith(`${service.origin}/reset-password?token=`))
  await post(stranger, '/request-password-reset', { email })
  const newer = lastToken(service, email)
  const use = (token: string) =>
    post(createVisitor(service), '/reset-password', { token, newPassword: NEXT })
  const uses = await Promise.all([use(newer), use(newer), use(newer)])
  assert.deepEqual(uses.map(({ status }) => String(status)).toSorted(), ['200', '400', '400'])
  for (const token of [newer, older, 'no token', '']) {
    assert.deepEqual((await use(token)).status, 400)
  }
  assert.equal((await trySignIn(service, email, NEXT)).status, 200)
})

test('a link that has expired, or a password too short, sets none', async () => {
  const { email } = await signedIn(service)
  await post(createVisitor(service), '/request-password-reset', { email })
  const token = lastToken(service, email)
  const short = await post(createVisitor(service), '/reset-password', {
    token,
    newPassword: 'short',
  })
  assert.deepEqual([short.status, codeOf(short)], [400, 'PASSWORD_TOO_SHORT'])
  await withTables<IdentityTables>(service.store.db)
    .updateTable('verification')
    .set({ expires_at: 1 })
    .execute()
  const late = await post(createVisitor(service), '/reset-password', { token, newPassword: NEXT })
  assert.deepEqual([late.status, codeOf(late)], [400, 'INVALID_TOKEN'])
  assert.equal((await trySignIn(service, email)).status, 200)
})

test('whom the operator made has no password, and sets one as if it were forgotten', async () => {
  const email = newAddress()
  await operate(service, 'POST', '/accounts', { email })
  assert.equal((await trySignIn(service, email, '')).status, 400)
  assert.equal((await trySignIn(service, email)).status, 401)
  assert.equal((await resetPassword(service, email, NEXT)).status, 200)
  const visitor = createVisitor(service)
  await visitor.signIn(email, NEXT)
  const session = (await (await visitor.fetch('/api/auth/get-session')).json()) as {
    user: { emailVerified: boolean }
  }
  assert.equal(session.user.emailVerified, true)
  const { json } = await operate(service, 'GET', `/accounts?email=${email}`)
  assert.deepEqual([json.data.length, json.data[0]?.balance_eur], [1, '1.00'])
})

test('an address changes when both the old and the new one agree, and signs nobody in', async () => {
  const visitor = await signedIn(service)
  const newEmail = newAddress('new')
  assert.equal((await post(visitor, '/change-email', { newEmail })).status, 200)
  assert.equal(mailsTo(service, newEmail).length, 0)
  const [asked] = mailsTo(service, visitor.email).slice(-1)
  assert.ok(asked?.link?.startsWith(`${service.origin}/change-email?token=`))
  assert.ok(asked?.text.includes(newEmail))
  const stranger = createVisitor(service)
  const follow = (email: string) =>
    stranger.fetch(`/api/auth/verify-email?token=${lastToken(service, email)}`)
  assert.equal((await follow(visitor.email)).status, 200)
  assert.equal(await whoIs(visitor), visitor.email)
  assert.ok(
    mailsTo(service, newEmail)[0]?.link?.startsWith(`${service.origin}/change-email?token=`),
  )
  const confirmed = await follow(newEmail)
  assert.equal(confirmed.status, 200)
  assert.deepEqual([confirmed.headers.getSetCookie(), stranger.cookies.size], [[], 0])
  assert.equal(await whoIs(visitor), newEmail)
  assert.equal((await trySignIn(service, visitor.email)).status, 401)
  assert.equal((await trySignIn(service, newEmail)).status, 200)
  // What was left is no second free credit.
  const { json } = await operate(service, 'GET', `/accounts?email=${newEmail}`)
  assert.equal(json.data[0]?.balance_eur, '1.00')
  await createVisitor(service).signUp(visitor.email)
  const old = await operate(service, 'GET', `/accounts?email=${visitor.email}`)
  assert.equal(old.json.data[0]?.balance_eur, '0.00')
})

test('a link that went to the old address is worth nothing once it is changed', async () => {
  const visitor = await signedIn(service)
  const newEmail = newAddress('new')
  await post(createVisitor(service), '/request-password-reset', { email: visitor.email })
  const token = lastToken(service, visitor.email)
  await post(visitor, '/change-email', { newEmail })
  await visitor.fetch(`/api/auth/verify-email?token=${lastToken(service, visitor.email)}`)
  await visitor.fetch(`/api/auth/verify-email?token=${lastToken(service, newEmail)}`)
  assert.equal(await whoIs(visitor), newEmail)
  const late = await post(createVisitor(service), '/reset-password', { token, newPassword: NEXT })
  assert.deepEqual([late.status, codeOf(late)], [400, 'INVALID_TOKEN'])
})

test('no sign-in with the old password outlives a new one, however close they are', async () => {
  const { email } = await signedIn(service)
  let password = PASSWORD
  for (let round = 0; round < 4; round += 1) {
    await post(createVisitor(service), '/request-password-reset', { email })
    const token = lastToken(service, email)
    const newPassword = `${NEXT} ${round}`
    const old = Array.from({ length: 5 }, () => createVisitor(service))
    const reset = post(createVisitor(service), '/reset-password', { token, newPassword })
    await Promise.all(old.map((one) => post(one, '/sign-in/email', { email, password })))
    assert.equal((await reset).status, 200)
    for (const one of old) assert.equal(await whoIs(one), undefined)
    password = newPassword
  }
})

test('an address that is taken by then is not taken over', async () => {
  const visitor = await signedIn(service)
  const newEmail = newAddress('new')
  await post(visitor, '/change-email', { newEmail })
  const follow = (email: string) =>
    createVisitor(service).fetch(`/api/auth/verify-email?token=${lastToken(service, email)}`)
  await follow(visitor.email)
  const link = `/api/auth/verify-email?token=${lastToken(service, newEmail)}`
  await createVisitor(service).signUp(newEmail)
  const late = await readReply(await createVisitor(service).fetch(link))
  assert.deepEqual([late.status, codeOf(late)], [409, 'ADDRESS_TAKEN'])
  assert.equal(await whoIs(visitor), visitor.email)
  // Asked for from the start, it is answered as any other, and nothing is sent.
  const sent = mailsTo(service, visitor.email).length
  const reply = await post(visitor, '/change-email', { newEmail })
  assert.deepEqual([reply.status, reply.body], [200, { status: true }])
  assert.equal(mailsTo(service, visitor.email).length, sent)
})

test('where to go on is never for the caller to say', async () => {
  const evil = 'https://evil.example/take'
  const email = newAddress()
  const more = {
    callbackURL: evil,
    redirectTo: evil,
    errorCallbackURL: evil,
    newUserCallbackURL: evil,
  }
  const visitor = createVisitor(service)
  const calls: readonly [string, object][] = [
    ['/sign-up/email', { email, password: PASSWORD, name: 'Ana' }],
    ['/send-verification-email', { email }],
    ['/request-password-reset', { email }],
    ['/reset-password', { token: 'none', newPassword: NEXT }],
    ['/sign-in/email', { email, password: PASSWORD }],
  ]
  for (const [path, body] of calls) {
    const { headers, body: answer } = await post(visitor, path, { ...body, ...more })
    assert.equal(headers.get('location'), null, path)
    assert.doesNotMatch(JSON.stringify(answer), /evil/)
  }
  for (const target of [evil, '//evil.example', '/\\evil.example', '/%2f/evil.example']) {
    for (const token of [lastToken(service, email), 'none']) {
      const query = new URLSearchParams({ token, callbackURL: target, errorCallbackURL: target })
      const response = await visitor.fetch(`/api/auth/verify-email?${query.toString()}`)
      assert.equal(response.headers.get('location'), null)
    }
  }
  const written = mailsTo(service, email).map(({ text, html }) => text + html)
  assert.doesNotMatch(written.join(''), /evil/)
})
