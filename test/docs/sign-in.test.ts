import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../src/identity/tables.ts'
import { makePerson } from '../support/browser/people.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { operate } from '../support/call.ts'
import { findFreePort } from '../support/child-service.ts'
import { signInOnPage } from '../support/console/journey.ts'
import { serveFor, type Service } from '../support/service.ts'
import { takeFiles } from './take-files.ts'

/** Shorter than what the app wants left of an access token: it renews its tokens whenever it asks. */
const ACCESS_TOKEN_S = 20
const EMAIL = 'rui@example.com'

interface Guided {
  readonly service: Service
  readonly url: string
}

/** The app of the guide, as it stands there, beside a service that it is registered at. */
async function startGuidedApp(lifetimes: { readonly accessToken?: number }): Promise<Guided> {
  const service = await serveFor(
    { after },
    { identity: true, trustedProxies: ['127.0.0.1'], lifetimes },
  )
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const files = takeFiles({ after }, 'sign-in', {
    'http://127.0.0.1:8080': service.app.identity.issuer,
    'http://127.0.0.1:3000': url,
    'listen(3000,': `listen(${port},`,
  })
  const registered = await operate(service, 'POST', '/clients', {
    name: 'Example App',
    kind: 'confidential',
    redirect_uris: [`${url}/callback`],
  })
  assert.equal(registered.status, 201, registered.text)
  files.add('client.json', registered.text)
  const app = files.run('app.ts')
  after(() => app.kill())
  await app.said(/The app is at/)
  return { service, url }
}

const { service, url } = await startGuidedApp({ accessToken: ACCESS_TOKEN_S })

function countTokenCalls(): number {
  return service.logged.filter((line) => line.includes('/api/oidc/token')).length
}

async function countLiveTokens(): Promise<number> {
  const rows = await withTables<IdentityTables>(service.store.db)
    .selectFrom('oidc_artifact')
    .select('model')
    .where('model', 'in', ['AccessToken', 'RefreshToken'])
    .execute()
  return rows.length
}

async function setPlan(plan: string): Promise<void> {
  const { json } = await operate(service, 'GET', `/accounts?email=${EMAIL}`)
  const changed = await operate(service, 'PATCH', `/accounts/${json.data[0].id}`, { plan })
  assert.equal(changed.status, 200, changed.text)
}

function waitForText(page: Page, text: string): Promise<void> {
  return page.getByRole('main').getByText(text).waitFor()
}

testInBrowser('the app of the guide signs people in and out', {}, async (page) => {
  await makePerson(service, page.context(), EMAIL, 'Rui <Melo>')
  await page.goto(url)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signInOnPage(page, EMAIL)
  await page.getByRole('button', { name: 'Allow' }).click()
  await waitForText(page, 'Hello, Rui <Melo>! Your plan is FREE.')

  await setPlan('PRO')
  await page.reload()
  await waitForText(page, 'Your plan is PRO.')

  // Each page renews the tokens, two pages at once do it once, and what was renewed can be renewed again.
  const before = countTokenCalls()
  await Promise.all([page.request.get(url), page.request.get(url)])
  assert.equal(countTokenCalls(), before + 1)
  await page.reload()
  await waitForText(page, 'Hello, Rui')
  assert.equal(countTokenCalls(), before + 2)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await waitForText(page, 'You are signed out.')
  assert.equal(await countLiveTokens(), 0)
  await page.getByRole('link', { name: 'Sign in' }).click()
  // Still signed in at the service: asked for no password.
  await page.getByRole('button', { name: 'Allow' }).click()
  await waitForText(page, 'Hello, Rui')
})

testInBrowser(
  'the app of the guide tells who said no, and whose access has ended',
  {},
  async (page) => {
    const email = 'eva@example.com'
    await makePerson(service, page.context(), email, 'Eva')
    await page.goto(`${url}/sign-in`)
    await signInOnPage(page, email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await waitForText(page, 'Refused: access_denied.')

    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Allow' }).click()
    await waitForText(page, 'Hello, Eva')
    const { json } = await operate(service, 'GET', `/people?email=${email}`)
    const ended = await operate(service, 'POST', `/people/${json.data[0].id}/sign-out`)
    assert.equal(ended.status, 204, ended.text)
    await page.reload()
    await waitForText(page, 'Refused: invalid_grant.')
  },
)

test('the app of the guide takes no answer that it did not ask for', async () => {
  const response = await fetch(`${url}/callback?code=stolen&state=of-nobody`)
  assert.match(await response.text(), /Start again/)
  const asked = await fetch(`${url}/sign-in`, { redirect: 'manual' })
  const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? ''
  const script = encodeURIComponent('<script>')
  const forged = await fetch(`${url}/callback?error=${script}&state=of-nobody`, {
    headers: { cookie },
  })
  assert.equal(forged.status, 403)
  assert.doesNotMatch(await forged.text(), /<script>/)
})
