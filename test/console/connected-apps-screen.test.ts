import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { startApp } from '../support/browser/start-app.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const app = await startApp({ after }, service)

/** Lets the app know who they are, as its visitors do. */
async function connect(page: Page): Promise<void> {
  await page.goto(app.startUrl())
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Hello, Ana Lima' }).waitFor()
}

testInBrowser(
  'an app is listed with what it knows, and its access is revoked',
  {},
  async (page) => {
    await signInTo(service, page, 'ana@example.com')
    await openScreen(service, page, '/console/connected-apps', 'Connected apps')
    await page.getByText('No app is connected').waitFor()
    await page.getByText('npx parley login').waitFor()
    await assertAccessible(page, 'connected apps, none')
    await connect(page)

    const foreign = watchForeignRequests(service, page)
    await openScreen(service, page, '/console/connected-apps', 'Connected apps')
    await page.getByRole('heading', { name: app.name }).waitFor()
    for (const known of ['Your name and your picture', 'Your e-mail address', 'Your plan']) {
      await page.getByText(known).waitFor()
    }
    await assertAccessible(page, 'connected apps')
    await page.getByRole('button', { name: `Revoke access of ${app.name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Revoke access of ${app.name}?` })
    await dialog.getByText('All its tokens stop working at once.').waitFor()
    await assertAccessible(page, 'connected apps, about to be revoked')
    await dialog.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByRole('status').getByText(`${app.name} has no access any more.`).waitFor()
    await page.getByText('No app is connected').waitFor()
    assert.deepEqual(foreign, [])

    await page.goto(app.startUrl())
    await page.getByRole('button', { name: 'Allow' }).waitFor()
  },
)

testInBrowser(
  'long names and strange scopes fit, in Portuguese',
  { locale: 'pt-PT' },
  async (page) => {
    await signInTo(service, page, 'rui@example.com')
    const [at, name] = [Date.UTC(2026, 1, 3), 'M'.repeat(200)]
    const scopes = ['openid', 'offline_access', 'x'.repeat(200)]
    const one = { client_id: 'long', name, scopes, consented_at: at, last_used_at: at }
    const command = { ...one, client_id: 'parley-cli', name: 'The parley command' }
    await page.route('**/console/api/connected-apps', (route) =>
      route.fulfill({ json: { data: [one, command] } }),
    )
    await openScreen(service, page, '/console/connected-apps', 'Aplicações ligadas')
    await page.getByText('Algo a que chama').first().waitFor()
    await assertAccessible(page, 'connected apps, long, pt')
    await page.getByRole('button', { name: 'Revogar o acesso de The parley command' }).click()
    await page.getByText('terá de executar «parley login»').waitFor()
  },
)

testInBrowser('it says that it loads, and why it could not', {}, async (page) => {
  await signInTo(service, page, 'eva@example.com')
  let mayAnswer = (): void => undefined
  const answered = new Promise<void>((resolve) => (mayAnswer = resolve))
  await page.route('**/console/api/connected-apps', async (route) => {
    await answered
    const error = { code: 'internal_error', message: 'Something failed.' }
    await route.fulfill({ status: 400, headers: { 'x-request-id': 'req_9' }, json: { error } })
  })
  await openScreen(service, page, '/console/connected-apps', 'Connected apps')
  await page.getByText('Loading…').waitFor({ state: 'attached' })
  mayAnswer()
  await page.getByRole('alert').getByText('req_9').waitFor()
  await assertAccessible(page, 'connected apps, failed')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No app is connected').waitFor()
})
