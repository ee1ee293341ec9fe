import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CONSOLE_SCREENS } from '#api/contract/index.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

test('each screen has its address, which says the language that its reader wants', async () => {
  for (const screen of CONSOLE_SCREENS) {
    const response = await fetch(issuer + screen.replaceAll('$', ''), {
      headers: { 'accept-language': 'pt' },
    })
    assert.equal(response.status, 200, screen)
    assert.equal(response.headers.get('cache-control'), 'no-cache')
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self'/)
    assert.match(await response.text(), /<html lang="pt-PT">/)
  }
})

test('an address that is no screen is a page that says so, and none of the API', async () => {
  const page = await fetch(`${issuer}/console/no-such`)
  assert.equal(page.status, 404)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const api = await fetch(`${issuer}/console/api/no-such`)
  assert.equal(api.status, 404)
  assert.match(api.headers.get('content-type') ?? '', /^application\/json/)
})

test('files never change, come compressed, and others are not there', async () => {
  const document = await (await fetch(`${issuer}/console`)).text()
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(document) ?? []
  for (const encoding of ['br', 'gzip']) {
    const response = await fetch(issuer + script, { headers: { 'accept-encoding': encoding } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-encoding'), encoding)
    assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.match(response.headers.get('content-type') ?? '', /^(text|application)\/javascript/)
    await response.text()
  }
  for (const path of ['../index.html', 'no-such.js', '..%2findex.html', '.vite/manifest.json']) {
    assert.equal((await fetch(`${issuer}/console/assets/${path}`)).status, 404, path)
  }
})

test('a language that is asked for is remembered', async () => {
  const asked = await fetch(`${issuer}/console?lang=pt`)
  assert.match(asked.headers.get('set-cookie') ?? '', /^parley_language=pt;/)
  const cookie = (asked.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const next = await fetch(`${issuer}/console`, { headers: { cookie } })
  assert.match(await next.text(), /<html lang="pt-PT">/)
})

testInBrowser(
  'a stranger is led to the sign-in, and from there back to the screen',
  {},
  async (page) => {
    await page.goto(`${issuer}/console/keys`)
    await page.waitForURL(`${issuer}/sign-in?next=%2Fconsole%2Fkeys`)
  },
)

testInBrowser(
  'who is signed in sees their account, and nothing is asked from elsewhere',
  {},
  async (page) => {
    const foreign = watchForeignRequests(service, page)
    await signInTo(service, page, 'ana@example.com')
    await openScreen(service, page, '/console', 'Home')
    await page.getByRole('main').getByText('€1.00').first().waitFor()
    assert.equal(await page.title(), 'Home – Parley')
    await assertAccessible(page, 'home')
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.getByRole('button', { name: 'Português' }).click()
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Início' }).waitFor()
    assert.deepEqual(foreign, [])
  },
)

testInBrowser('a session that ends is told where its person is at work', {}, async (page) => {
  await signInTo(service, page, 'rui@example.com')
  await openScreen(service, page, '/console', 'Home')
  await page.context().clearCookies()
  // Coming back to the page asks anew what is old.
  await page.clock.install()
  await page.clock.fastForward('10:00')
  await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
})
