import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMailedToken } from '../../support/browser/people.ts'
import { createPageVisitor, type PageVisitor } from '../../support/identity/page-visitor.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: true, trustedProxies: ['127.0.0.1'] })
const visit = (): PageVisitor => createPageVisitor(service)
const ACCOUNT = { email: 'ana@example.com', password: PASSWORD }

await visit().send('/sign-up', { name: 'Ana', ...ACCOUNT })
await visit().send(`/verify-email?token=${await readMailedToken(service, ACCOUNT.email)}`, {})

const PAGES = [
  '/sign-in',
  '/sign-in?again=1',
  '/sign-in/code',
  '/sign-in/code?with=recovery',
  '/sign-up',
  '/verify-email',
  '/verify-email?token=x',
  '/forgot-password',
  '/reset-password?token=x',
  '/change-email?token=x',
  '/interaction/nothing',
  '/sign-in/nothing',
  '/account/nothing',
  '/documents/nothing',
  '/sandbox/checkout/nothing',
]

const FORMS = [
  '/sign-in',
  '/sign-in/code',
  '/sign-up',
  '/verify-email?token=x',
  '/verify-email/resend',
  '/change-email?token=x',
  '/forgot-password',
  '/reset-password?token=x',
  '/sign-out',
  '/interaction/nothing',
  '/account/passkeys/remove',
  '/account/sessions/end',
  '/account/sessions/end-others',
  '/account/apps/revoke',
  '/account/topups',
  '/sandbox/checkout/nothing',
]

for (const path of PAGES) {
  test(`${path} is put into no other page, runs nothing of others, and is kept nowhere`, async () => {
    const { headers, text, status } = await visit().get(path)
    assert.ok([200, 404, 410].includes(status))
    assert.match(String(headers.get('content-type')), /^text\/html; charset=utf-8/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.match(String(headers.get('content-security-policy')), /frame-ancestors 'none'/)
    assert.match(String(headers.get('content-security-policy')), /form-action 'self'/)
    assert.doesNotMatch(String(headers.get('content-security-policy')), /unsafe|\*/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    // What the policy forbids would only be an error in the console.
    assert.doesNotMatch(text, /<style|\sstyle=|\son\w+=|<script(?! type="module" src="\/assets\/)/)
    assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//)
  })
}

const STRANGERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'another origin': { origin: 'https://evil.example' },
  'no origin that is told': { origin: 'null' },
  'a name that begins alike': { origin: `${service.origin}.evil.example` },
  'another port': { origin: 'http://127.0.0.1:1' },
}

for (const path of FORMS) {
  test(`what another page sends to ${path} is refused, and does nothing`, async () => {
    for (const [who, headers] of Object.entries(STRANGERS)) {
      const visitor = visit()
      const { status, text, headers: given } = await visitor.send(path, ACCOUNT, headers)
      assert.equal(status, 400, who)
      assert.match(text, /did not come from this page/)
      // Above all nobody is signed in as somebody else (login CSRF).
      assert.equal(given.get('set-cookie'), null, who)
      assert.equal(visitor.cookies.size, 0)
    }
  })
}

test('a form that says neither origin nor site is refused', async () => {
  const body = new URLSearchParams(ACCOUNT)
  const init = { method: 'POST', body, redirect: 'manual' } as const
  const bare = await fetch(`${service.origin}/sign-in`, init)
  assert.equal(bare.status, 400)
  const sameSite = { 'sec-fetch-site': 'same-site' }
  const other = await fetch(`${service.origin}/sign-in`, { ...init, headers: sameSite })
  assert.equal(other.status, 400)
})

test('nobody is signed out by another page', async () => {
  const visitor = visit()
  await visitor.send('/sign-in', ACCOUNT)
  await visitor.send('/sign-out', {}, { origin: 'https://evil.example' })
  assert.equal((await visitor.get('/account')).status, 200)
})

test('what is sent as anything but a form is refused', async () => {
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', '']) {
    const { status } = await visit().send('/sign-in', ACCOUNT, { 'content-type': type })
    assert.equal(status, 400, type)
  }
})

const ELSEWHERE = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/interaction/x',
  'https:evil.example',
  '/%2f%2fevil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/account\r\nlocation: //evil.example',
  'javascript:alert(1)',
  '/interaction/x;url=//evil.example',
  `${service.origin}@evil.example`,
]

test('signing in never leads anywhere but to our own pages', async () => {
  for (const next of ELSEWHERE) {
    const query = new URLSearchParams({ next }).toString()
    const visitor = visit()
    const page = await visitor.get(`/sign-in?${query}`)
    assert.match(page.text, /data-next="\/console"/, next)
    assert.match(page.text, /href="\/sign-up"/, next)
    const signedIn = await visitor.send(`/sign-in?${query}`, ACCOUNT)
    assert.deepEqual([signedIn.status, signedIn.headers.get('location')], [303, '/console'], next)
    const again = await visitor.get(`/sign-in?${query}`)
    assert.equal(again.headers.get('location'), '/console', next)
    const out = await visitor.send('/sign-out', { next })
    assert.equal(out.headers.get('location'), '/sign-in?notice=signedOut', next)
  }
})

test('a remembered way on is one of our own pages as well', async () => {
  const visitor = visit()
  for (const next of ELSEWHERE) {
    const cookie = `parley_next=${encodeURIComponent(next)}`
    const signedIn = await visitor.send('/sign-in', ACCOUNT, { cookie })
    const { status } = signedIn
    // What its limits refuse led nowhere either.
    if (status === 303) assert.equal(signedIn.headers.get('location'), '/console', next)
    else assert.equal(status, 429)
  }
})

test('styles and scripts are ours, and kept for good at an address that is theirs alone', async () => {
  const { text } = await visit().get('/sign-in')
  const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.equal(paths.length, 3)
  for (const path of paths) {
    const { status, headers } = await visit().get(path)
    assert.equal(status, 200)
    assert.match(path, /\.[0-9a-f]{12}\.(css|js|svg)$/)
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
  for (const path of ['pages.css', '..%2f..%2fpackage.json', 'pages.000000000000.css']) {
    assert.equal((await visit().get(`/assets/${path}`)).status, 404, path)
  }
})

test('the language is the one chosen, then the one that an app suggests, then the browser', async () => {
  const readLanguage = ({ text }: { text: string }): string =>
    /<html lang="([\w-]+)"/.exec(text)?.[1] ?? ''
  const visitor = visit()
  const portuguese = { 'accept-language': 'pt-BR,pt;q=0.9' }
  assert.equal(readLanguage(await visitor.get('/sign-in')), 'en-GB')
  assert.equal(readLanguage(await visitor.get('/sign-in', portuguese)), 'pt-PT')
  assert.equal(readLanguage(await visitor.get('/sign-in?ui_locales=fr+pt-PT')), 'pt-PT')
  assert.equal(readLanguage(await visitor.get('/sign-in?lang=pt')), 'pt-PT')
  assert.equal(readLanguage(await visitor.get('/sign-up')), 'pt-PT', 'it is remembered')
  assert.equal(readLanguage(await visitor.get('/sign-up/nothing')), 'pt-PT', 'on error pages too')
  assert.equal(readLanguage(await visitor.get('/sign-in?lang=en', portuguese)), 'en-GB')
  assert.equal(readLanguage(await visitor.get('/sign-in?ui_locales=pt', portuguese)), 'en-GB')
  assert.equal(readLanguage(await visitor.get('/sign-in?lang=%00%22', portuguese)), 'en-GB')
})

test('a link to the other language keeps where to go on to', async () => {
  const { text } = await visit().get('/sign-in?next=%2Faccount&again=1&notice=verified')
  assert.match(text, /href="\/sign-in\?next=%2Faccount&amp;again=1&amp;lang=pt"/)
})

test('who comes by the name alone is led to the console', async () => {
  const { status, headers } = await visit().get('/?lang=pt')
  assert.deepEqual([status, headers.get('location')], [303, '/console'])
  assert.match(String(headers.get('set-cookie')), /parley_language=pt/)
})

test('what is at or below the pages and is none is told on a page, whatever the method', async () => {
  for (const path of ['/account', '/account/x', '/interaction', '/interaction/x/y', '/sign-in/x']) {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(service.origin + path, { method })
      assert.equal(response.status, 404, `${method} ${path}`)
      assert.match(await response.text(), /<h1>There is nothing here<\/h1>/)
    }
  }
  const response = await fetch(`${service.origin}/accountx`)
  assert.match(String(response.headers.get('content-type')), /^application\/json/)
})

test('what goes wrong is told on a page, with the id that finds it', async () => {
  const { status, headers, text } = await visit().get('/account/nothing')
  assert.equal(status, 404)
  assert.ok(text.includes(String(headers.get('x-request-id'))))
})

test('while the store is away the pages say so, in the language of their reader', async (t) => {
  const options = { identity: true, embedded: true, trustedProxies: ['127.0.0.1'] } as const
  const away = await serveFor(t, options)
  const visitor = createPageVisitor(away)
  await visitor.send('/sign-up', { name: 'Ana', ...ACCOUNT })
  await visitor.send(`/verify-email?token=${await readMailedToken(away, ACCOUNT.email)}`, {})
  assert.equal((await visitor.send('/sign-in', ACCOUNT)).status, 303)
  await away.store.close()
  const { status, text, headers } = await visitor.get('/account', { 'accept-language': 'pt' })
  assert.ok([500, 503].includes(status), `${status}`)
  assert.match(text, /<html lang="pt-PT"/)
  assert.ok(text.includes(String(headers.get('x-request-id'))))
})
