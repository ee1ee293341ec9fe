import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOTP } from '@better-auth/utils/otp'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import {
  createRelyingParty,
  readCallback,
  REDIRECT_URI,
  type RelyingParty,
} from '../../support/identity/relying-party.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const app = await createRelyingParty(service)
const [ANA, BIA] = ['ana@example.com', 'bia@example.com']

before(async () => {
  for (const email of [ANA, BIA]) await createVisitor(service).signUp(email, email.slice(0, 3))
})

async function createSignedIn(email: string): Promise<Visitor> {
  const visitor = createVisitor(service)
  await visitor.signIn(email)
  return visitor
}

async function readEmail(of: RelyingParty, visitor: Visitor, url?: URL): Promise<unknown> {
  const begun = await of.begin()
  const { callback } = await visitor.authorize(url ?? begun.url)
  const tokens = await of.redeem(begun, callback)
  return (await askUserInfo(service, tokens.access_token)).claims['email']
}

/** Goes as far as the page that asks, and no further. */
async function reachPage(visitor: Visitor, start: URL): Promise<URL> {
  let url = start
  for (let hop = 0; hop < 5; hop += 1) {
    const response = await visitor.fetch(url)
    const place = response.headers.get('location')
    await response.text()
    if (place === null) return url
    url = new URL(place, url)
  }
  throw new Error('no page')
}

function answer(visitor: Visitor, page: URL, decision = 'allow'): Promise<Response> {
  return visitor.fetch(page, { method: 'POST', body: new URLSearchParams({ decision }) })
}

/** Where an answer leads, by redirect or by page. */
async function readPlace(response: Response): Promise<string> {
  const text = await response.text()
  return (
    response.headers.get('location') ??
    /url=([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ??
    ''
  )
}

test('who signs out is asked to sign in again, and nobody else gets their consent', async () => {
  const visitor = await createSignedIn(ANA)
  assert.equal(await readEmail(app, visitor), ANA)
  assert.equal((await visitor.post('/api/auth/sign-out', {})).status, 200)
  const { callback, trail } = await app.visit(visitor, await app.begin())
  assert.deepEqual([callback, trail.at(-1)], [undefined, 'sign in'])
  const begun = await app.begin()
  const visit = await app.visit(visitor, begun, { onSignIn: () => visitor.signIn(BIA) })
  assert.ok(
    visit.trail.some((hop) => hop.startsWith('POST')),
    'Bia consents for herself',
  )
  const tokens = await app.redeem(begun, visit.callback)
  assert.equal((await askUserInfo(service, tokens.access_token)).claims['email'], BIA)
})

test('who takes over a browser without signing out gets nothing of the one before', async () => {
  const visitor = await createSignedIn(ANA)
  await app.connect(visitor)
  await visitor.signIn(BIA)
  assert.equal(await readEmail(app, visitor), BIA)
  await visitor.signIn(ANA)
  assert.equal(await readEmail(app, visitor), ANA)
})

test('a page that asked Ana is not answered by Bia, who signed in meanwhile', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'switched' })
  const visitor = await createSignedIn(ANA)
  const begun = await fresh.begin()
  const page = await reachPage(visitor, begun.url)
  await visitor.signIn(BIA)
  const shown = await visitor.fetch(page)
  assert.match(shown.headers.get('location') ?? '', /^\/api\/oidc\/authorize\?/)
  const place = await readPlace(await answer(visitor, page))
  assert.match(place, /^\/api\/oidc\/authorize\?/)
  const { callback, trail } = await visitor.authorize(new URL(place, service.origin))
  assert.ok(
    trail.some((hop) => hop.startsWith('POST')),
    'Bia is asked herself',
  )
  const tokens = await fresh.redeem(begun, callback)
  assert.equal((await askUserInfo(service, tokens.access_token)).claims['email'], BIA)
})

test('a page that asked Ana is not answered by nobody, after she signed out', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'left' })
  const visitor = await createSignedIn(ANA)
  const page = await reachPage(visitor, (await fresh.begin()).url)
  await visitor.post('/api/auth/sign-out', {})
  for (const response of [await visitor.fetch(page), await answer(visitor, page)]) {
    assert.match(response.headers.get('location') ?? '', /^\/sign-in\?/)
  }
})

test('what Ana allowed is not completed by Bia, who signed in after it', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'late' })
  const visitor = await createSignedIn(ANA)
  const begun = await fresh.begin()
  const page = await reachPage(visitor, begun.url)
  const resume = new URL(await readPlace(await answer(visitor, page)))
  await visitor.signIn(BIA)
  const { callback } = await visitor.authorize(resume)
  const tokens = await fresh.redeem(begun, callback)
  assert.equal((await askUserInfo(service, tokens.access_token)).claims['email'], BIA)
})

test('nobody completes what was allowed, after the person signed out', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'nobody' })
  const visitor = await createSignedIn(ANA)
  const page = await reachPage(visitor, (await fresh.begin()).url)
  const resume = new URL(await readPlace(await answer(visitor, page)))
  await visitor.post('/api/auth/sign-out', {})
  const { callback, trail } = await visitor.authorize(resume)
  assert.deepEqual([callback, trail.at(-1)], [undefined, 'sign in'])
})

test('two tabs that ask at once are both answered', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'tabs' })
  const visitor = await createSignedIn(ANA)
  const tabs = await Promise.all([fresh.begin(), fresh.begin()])
  const pages = await Promise.all(tabs.map(({ url }) => visitor.fetch(url)))
  const places = pages.map((page) => new URL(page.headers.get('location') ?? '', service.origin))
  for (const [index, begun] of tabs.entries()) {
    const { callback, trail, last } = await visitor.authorize(places[index] ?? begun.url)
    assert.ok(callback, trail.join('\n') + last.text)
    assert.ok((await fresh.redeem(begun, callback)).access_token)
  }
})

test('what Ana allowed in one tab is not given to Bia, who asked in another', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'crossed' })
  const visitor = await createSignedIn(ANA)
  const page = await reachPage(visitor, (await fresh.begin({ prompt: 'consent' })).url)
  const resume = new URL(await readPlace(await answer(visitor, page)))
  await visitor.signIn(BIA)
  await fresh.connect(visitor)
  const { error, code } = readCallback(await visitor.authorize(resume))
  assert.deepEqual([error, code], ['access_denied', undefined])
})

test('an interaction belongs to the browser that began it', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'elsewhere' })
  const visitor = await createSignedIn(ANA)
  const page = await reachPage(visitor, (await fresh.begin()).url)
  const other = await createSignedIn(ANA)
  for (const response of [await other.fetch(page), await answer(other, page)]) {
    assert.equal(response.status, 410)
    await response.text()
  }
  const resume = new URL(await readPlace(await answer(visitor, page)))
  const stolen = await other.fetch(resume)
  assert.equal(stolen.status, 400)
  assert.match(await stolen.text(), /invalid_request/)
  const first = await visitor.fetch(resume)
  assert.match(first.headers.get('location') ?? '', /code=/)
  const twice = await visitor.fetch(resume)
  assert.equal(twice.status, 400)
  assert.match(twice.headers.get('content-type') ?? '', /^text\/html/)
})

test('a page of elsewhere cannot allow anything', async () => {
  const fresh = await createRelyingParty(service, { clientId: 'forged' })
  const visitor = await createSignedIn(ANA)
  const page = await reachPage(visitor, (await fresh.begin()).url)
  const headers = { origin: 'https://evil.example' }
  const body = new URLSearchParams({ decision: 'allow' })
  const forged = await visitor.fetch(page, { method: 'POST', body, headers })
  assert.equal(forged.status, 400)
})

test('an app may send its people with a form; it comes to the same', async () => {
  const visitor = await createSignedIn(ANA)
  await app.connect(visitor)
  const begun = await app.begin()
  const body = begun.url.searchParams
  const headers = { origin: 'https://app.example.com' }
  const posted = await visitor.fetch(begun.url.pathname, { method: 'POST', body, headers })
  assert.equal(posted.status, 303)
  const { callback } = await visitor.authorize(
    new URL(posted.headers.get('location') ?? '', service.origin),
  )
  assert.ok((await app.redeem(begun, callback)).access_token)
  const mismatch = new URLSearchParams([...body, ['redirect_uri', REDIRECT_URI]])
  const twice = await visitor.fetch(begun.url.pathname, { method: 'POST', body: mismatch })
  const shown = await visitor.fetch(twice.headers.get('location') ?? '')
  assert.equal(shown.status, 400)
})

test('who has a second factor is signed in at no app before they showed it', async () => {
  const visitor = createVisitor(service)
  const email = 'caio@example.com'
  await visitor.signUp(email, 'Caio')
  await visitor.signIn(email)
  const enabled = await visitor.post('/api/auth/two-factor/enable', { password: PASSWORD })
  const { totpURI, backupCodes } = (await enabled.json()) as Enabled
  const secret = decodeSecret(totpURI)
  const showCode = async () =>
    visitor.post('/api/auth/two-factor/verify-totp', { code: await createOTP(secret).totp() })
  assert.equal((await showCode()).status, 200)
  await visitor.post('/api/auth/sign-out', {})

  const half = await visitor.post('/api/auth/sign-in/email', { email, password: PASSWORD })
  assert.equal(half.status, 200)
  const none = await app.visit(visitor, await app.begin({ prompt: 'none' }))
  assert.equal(readCallback(none)['error'], 'login_required')
  const waiting = await app.visit(visitor, await app.begin())
  assert.deepEqual([waiting.callback, waiting.trail.at(-1)], [undefined, 'sign in'])
  const shown = await visitor.post('/api/auth/two-factor/verify-backup-code', {
    code: backupCodes[0],
  })
  assert.equal(shown.status, 200)
  assert.equal(await readEmail(app, visitor), email)
})

interface Enabled {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

function decodeSecret(uri: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const text = new URL(uri).searchParams.get('secret') ?? ''
  const bits = text
    .split('')
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString('utf8')
}
