import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createRelyingParty,
  readCallback,
  type Parameters,
  type RelyingParty,
} from '../../support/identity/relying-party.ts'
import { createVisitor, type Visitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const native = await createRelyingParty(service, {
  clientId: 'native',
  redirectUris: ['http://127.0.0.1/callback'],
})
const EMAIL = 'ana@example.com'

before(async () => {
  await createVisitor(service).signUp(EMAIL, 'Ana')
  await createVisitor(service).signUp('bia@example.com', 'Bia')
})

async function createSignedIn(email = EMAIL): Promise<Visitor> {
  const visitor = createVisitor(service)
  await visitor.signIn(email)
  return visitor
}

let apps = 0

/** An app that nobody has consented to. */
function createNewApp(): Promise<RelyingParty> {
  apps += 1
  return createRelyingParty(service, { clientId: `app-${apps}` })
}

/** What a visitor met on their way. */
async function walk(app: RelyingParty, visitor: Visitor, parameters: Parameters = {}) {
  let signIns = 0
  const visit = await app.visit(visitor, await app.begin(parameters), {
    onSignIn: async () => {
      signIns += 1
      await visitor.signIn(EMAIL)
    },
  })
  const { code, error } = readCallback(visit)
  const consents = visit.trail.filter((hop) => hop.startsWith('POST')).length
  return { signIns, consents, code: code !== undefined, error }
}

const ASKED_NOTHING = { signIns: 0, consents: 0, code: true, error: undefined }
const ASKED_CONSENT = { ...ASKED_NOTHING, consents: 1 }
const ASKED_SIGN_IN = { ...ASKED_NOTHING, signIns: 1 }

function refusedWith(error: string) {
  return { signIns: 0, consents: 0, code: false, error }
}

test('a web app is consented to once, with a refresh token or without', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  assert.deepEqual(await walk(app, ana, { scope: 'openid email' }), ASKED_CONSENT)
  assert.deepEqual(await walk(app, ana, { scope: 'openid email' }), ASKED_NOTHING)
  assert.deepEqual(await walk(app, ana, { scope: 'openid' }), ASKED_NOTHING)
  assert.deepEqual(await walk(app, ana), ASKED_CONSENT, 'more is asked for')
  assert.deepEqual(await walk(app, ana), ASKED_NOTHING)
  assert.ok((await app.connect(ana)).refresh_token)
})

test('a consent is remembered in other browsers, and after signing out', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  assert.deepEqual(await walk(app, ana), ASKED_CONSENT)
  assert.deepEqual(await walk(app, await createSignedIn()), ASKED_NOTHING)
  assert.equal((await ana.post('/api/auth/sign-out', {})).status, 200)
  assert.deepEqual(await walk(app, ana), ASKED_SIGN_IN)
})

test('a consent of one browser ends without ending that of another', async () => {
  const [app, ana, elsewhere] = [
    await createNewApp(),
    await createSignedIn(),
    await createSignedIn(),
  ]
  const one = await app.connect(ana)
  const other = await app.connect(elsewhere)
  await app.refresh(one.refresh_token)
  service.clock.advance(60_000)
  await assert.rejects(app.refresh(one.refresh_token))
  assert.ok((await app.refresh(other.refresh_token)).access_token)
})

test('a native app is asked for each time: another may use its name (RFC 8252, 8.6)', async () => {
  const ana = await createSignedIn()
  for (let turn = 0; turn < 3; turn += 1) assert.deepEqual(await walk(native, ana), ASKED_CONSENT)
  assert.deepEqual(await walk(native, ana, { prompt: 'none' }), refusedWith('interaction_required'))
})

test('who refuses is asked again the next time', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  const visit = await app.visit(ana, await app.begin(), { decision: 'deny' })
  const { error, code } = readCallback(visit)
  assert.deepEqual([error, code], ['access_denied', undefined])
  assert.deepEqual(await walk(app, ana), ASKED_CONSENT)
})

test('prompt=none asks nothing, whoever is there', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  const none = { prompt: 'none' }
  assert.deepEqual(await walk(app, createVisitor(service), none), refusedWith('login_required'))
  assert.deepEqual(await walk(app, ana, none), refusedWith('consent_required'))
  await walk(app, ana, { scope: 'openid' })
  assert.deepEqual(await walk(app, ana, none), refusedWith('consent_required'))
  await walk(app, ana)
  assert.deepEqual(await walk(app, ana, none), ASKED_NOTHING)
  assert.ok((await app.connect(ana, none)).refresh_token)
  const old = { prompt: 'none', max_age: '0' }
  assert.equal((await walk(app, ana, old)).code, false)
})

test('prompt=none knows who is signed in with us, though they never met an app', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  await walk(app, ana)
  assert.deepEqual(await walk(app, await createSignedIn(), { prompt: 'none' }), ASKED_NOTHING)
})

test('prompt=login has them sign in again, once, and be told when', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  await walk(app, ana)
  assert.deepEqual(await walk(app, ana, { prompt: 'login' }), ASKED_SIGN_IN)
  assert.deepEqual(await walk(app, createVisitor(service), { prompt: 'login' }), ASKED_SIGN_IN)
  const tokens = await app.connect(ana, { prompt: 'login' }, { onSignIn: () => ana.signIn(EMAIL) })
  const { auth_time: authTime = 0 } = tokens.claims() ?? {}
  assert.ok(Math.abs(authTime - Date.now() / 1_000) < 10)
})

test('prompt=login is not answered by going back to the page', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  await walk(app, ana)
  const { url } = await app.begin({ prompt: 'login' })
  const { trail, callback } = await ana.authorize(url)
  assert.deepEqual([callback, trail.at(-1)], [undefined, 'sign in'])
  const path = trail.at(-2)?.split(' ').at(-1) ?? ''
  const again = await ana.fetch(path)
  assert.match(again.headers.get('location') ?? '', /^\/sign-in\?.*again=1/)
  const forced = await ana.fetch(path, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'allow' }),
  })
  assert.match(forced.headers.get('location') ?? '', /^\/sign-in\?.*again=1/)
})

test('prompt=consent shows the page, whatever was consented to', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  for (const scope of ['openid', 'openid offline_access']) {
    assert.deepEqual(await walk(app, ana, { scope, prompt: 'consent' }), ASKED_CONSENT)
    assert.deepEqual(await walk(app, ana, { scope, prompt: 'consent' }), ASKED_CONSENT)
  }
  const both = await walk(app, ana, { prompt: 'login consent' })
  assert.deepEqual(both, { ...ASKED_SIGN_IN, consents: 1 })
})

test('prompt=select_account is signing in again, as whomever', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  await walk(app, ana)
  assert.deepEqual(await walk(app, ana, { prompt: 'select_account' }), ASKED_SIGN_IN)
  assert.deepEqual(
    await walk(app, createVisitor(service), { prompt: 'select_account' }),
    ASKED_SIGN_IN,
  )
  const bia = await createSignedIn('bia@example.com')
  await app.connect(bia)
  const signInAsBia = { onSignIn: () => ana.signIn('bia@example.com') }
  const tokens = await app.connect(ana, { prompt: 'select_account login' }, signInAsBia)
  const own = await app.connect(bia)
  assert.equal(tokens.claims()?.sub, own.claims()?.sub)
})

test('max_age counts from when they signed in with us', async (t) => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  await walk(app, ana)
  assert.deepEqual(await walk(app, ana, { max_age: '0' }), ASKED_SIGN_IN)
  assert.deepEqual(await walk(app, ana, { max_age: '10000' }), ASKED_NOTHING)
  const { auth_time: early } = (await app.connect(ana, { max_age: '10000' })).claims() ?? {}
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 })
  assert.deepEqual(await walk(app, ana, { max_age: '10000' }), ASKED_NOTHING)
  assert.deepEqual(
    await walk(app, ana, { max_age: '300', prompt: 'none' }),
    refusedWith('login_required'),
  )
  assert.deepEqual(await walk(app, ana, { max_age: '300' }), ASKED_SIGN_IN)
  const { auth_time: late } = (await app.connect(ana, { max_age: '300' })).claims() ?? {}
  assert.ok(Number(late) - Number(early) >= 599, `${late} after ${early}`)
  // Signed in anew for the console, not for an app: that counts alike.
  t.mock.timers.setTime(Date.now() + 600_000)
  await ana.signIn(EMAIL)
  assert.deepEqual(await walk(app, ana, { max_age: '300' }), ASKED_NOTHING)
})

test('an id token names whom the app expects', async () => {
  const [app, ana] = [await createNewApp(), await createSignedIn()]
  const { id_token: hint = '' } = await app.connect(ana)
  const expected = { id_token_hint: hint }
  assert.deepEqual(await walk(app, ana, { ...expected, prompt: 'none' }), ASKED_NOTHING)
  const bia = await createSignedIn('bia@example.com')
  const none = await walk(app, bia, { ...expected, prompt: 'none' })
  assert.deepEqual(none, refusedWith('login_required'))
  // Signs in as Ana, who is expected; and, in the other case, as Bia again, who is not.
  assert.deepEqual(await walk(app, bia, expected), ASKED_SIGN_IN)
  const { callback } = await app.visit(bia, await app.begin(expected), {
    onSignIn: () => bia.signIn('bia@example.com'),
  })
  assert.ok(callback?.searchParams.get('code'), 'Ana is signed in now')
  await bia.signIn('bia@example.com')
  const wrong = await app.visit(bia, await app.begin(expected), {
    onSignIn: () => bia.signIn('bia@example.com'),
  })
  assert.equal(readCallback(wrong)['error'], 'login_required')
  for (const garbage of ['no token', hint.slice(0, -4), 'e30.e30.e30']) {
    assert.equal((await walk(app, ana, { id_token_hint: garbage })).error, 'invalid_request')
  }
})
