import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { credit, operate } from '../../support/call.ts'
import { findFreePort } from '../../support/child-service.ts'
import {
  countLoads,
  goTo,
  JOURNEY,
  readAccount,
  setInSight,
  signInOnPage,
  waitForBalance,
} from '../../support/console/journey.ts'
import { openScreen, signInTo } from '../../support/console/open-console.ts'
import { serveFor, startService } from '../../support/service.ts'
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts'

const service = await serveFor(
  { after },
  // Looked at more often than in production, where it is no test that waits for it.
  { ...JOURNEY, watchBounds: { checkSessionEveryMs: 300 } },
)
const { issuer } = service.app.identity

async function makeKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await storeKey(page, name)
}

async function storeKey(page: Page, name: string): Promise<void> {
  const created = page.getByRole('dialog', { name: `Your new key “${name}”` })
  await created.getByRole('checkbox', { name: 'I stored the key' }).check()
  await created.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('status').getByText(`Key “${name}” is ready.`).waitFor()
}

async function listKeyNames(email: string): Promise<readonly (string | null)[]> {
  const { id } = await readAccount(service, email)
  const { json } = await operate(service, 'GET', `/accounts/${id}/keys`)
  return json.data.map(({ name }) => name)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'You are signed out' })

testInBrowser('two tabs of one person tell the same', {}, async (page) => {
  await signInTo(service, page, 'tabs@example.com')
  const other = await page.context().newPage()
  await openScreen(service, other, '/console/keys', 'API keys')
  await other.getByText('No key yet').waitFor()
  await setInSight(other, false)
  await page.bringToFront()
  await openScreen(service, page, '/console/keys', 'API keys')
  await makeKey(page, 'made meanwhile')
  await page.getByRole('button', { name: 'Revoke made meanwhile' }).waitFor()
  assert.equal(await other.getByText('No key yet').isVisible(), true, 'nobody looks at it')
  await other.bringToFront()
  await setInSight(other, true)
  await other.getByRole('button', { name: 'Revoke made meanwhile' }).waitFor()

  await page.bringToFront()
  await page.getByRole('link', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await dialogOf(other).waitFor()
  assert.equal(await dialogOf(page).count(), 0, 'who has signed out knows it')
})

testInBrowser('a session that ends at work goes on at the same screen', {}, async (page) => {
  const email = 'ended@example.com'
  await signInTo(service, page, email)
  const address = `${issuer}/console/requests?status=error`
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  const { json: people } = await operate(service, 'GET', `/people?email=${email}`)
  await operate(service, 'POST', `/people/${people.data[0].id}/sign-out`)
  await dialogOf(page).waitFor()
  // Nothing but the sign-in can be done: Escape does not lead around it.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialogOf(page).getByRole('link', { name: 'Sign in' }).click()
  await signInOnPage(page, email)
  await page.waitForURL(address)
  await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
  await waitForBalance(page, '1.00')
  assert.equal(await dialogOf(page).count(), 0)
})

testInBrowser('without a network it says so, and then goes on from there', {}, async (page) => {
  const email = 'offline@example.com'
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/keys', 'API keys')
  await waitForBalance(page, '1.00')
  const loads = countLoads(page)
  const banner = page.getByText('You are offline.')
  await page.context().setOffline(true)
  await banner.waitFor()
  await credit(service, (await readAccount(service, email)).id, 'grant', '2.50')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('asked for offline')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  assert.deepEqual(await listKeyNames(email), [])
  await waitForBalance(page, '1.00')

  await page.context().setOffline(false)
  await storeKey(page, 'asked for offline')
  await waitForBalance(page, '3.50')
  assert.equal(await banner.count(), 0)
  assert.deepEqual(await listKeyNames(email), ['asked for offline'])
  assert.equal(loads(), 0)
})

testInBrowser('a slow network shows that it loads, and does nothing twice', {}, async (page) => {
  const email = 'slow@example.com'
  await signInTo(service, page, email)
  await page.clock.install()
  await openScreen(service, page, '/console', 'Home')
  await waitForBalance(page, '1.00')
  let posted = 0
  await page.route('**/console/**', async (route) => {
    if (route.request().method() === 'POST') posted += 1
    await delay(2_000)
    await route.continue()
  })
  // By the page's own clock, however busy the machine is.
  await page.clock.pauseAt(Date.now() + 60_000)
  const asked = page.waitForRequest(/\/console\/(assets|api)\/.*(keys|accounts)/)
  const link = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Keys' })
  await link.focus()
  await page.keyboard.press('Enter')
  await asked
  await page.clock.runFor(300)
  await page.getByRole('main').getByText('Loading…').first().waitFor()
  await page.clock.resume()
  await page.getByText('No key yet').waitFor()

  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('only one')
  await dialog.getByRole('button', { name: 'Create key' }).dblclick()
  await dialog.getByRole('textbox', { name: 'Name' }).press('Enter')
  await storeKey(page, 'only one')
  await page.getByRole('button', { name: 'Revoke only one' }).waitFor()
  assert.equal(posted, 1)
  assert.deepEqual(await listKeyNames(email), ['only one'])
})

testInBrowser('a service that starts again is found again by an open page', {}, async (page, t) => {
  const place = { ...JOURNEY, dataDir: makeTemporaryDirectory(t), port: await findFreePort() }
  const first = await startService(place)
  const email = 'again@example.com'
  await signInTo(first, page, email)
  await openScreen(first, page, '/console', 'Home')
  await waitForBalance(page, '1.00')
  const { id: accountId } = await readAccount(first, email)
  const loads = countLoads(page)
  await first.close()
  // A screen that was never opened cannot be now; what was is still there.
  const navigation = page.getByRole('navigation', { name: 'Console' })
  await navigation.getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('heading', { level: 1, name: 'This screen did not load' }).waitFor()
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
  await goTo(page, 'Home')
  await page.getByRole('main').getByText('€1.00').first().waitFor()
  await navigation.getByRole('link', { name: 'Limits' }).click()
  await page.getByRole('heading', { level: 1, name: 'This screen did not load' }).waitFor()

  const second = await startService(place)
  t.after(() => second.close())
  await credit(second, accountId, 'grant', '0.75')
  await page.getByRole('heading', { name: 'Tier 1' }).waitFor()
  await waitForBalance(page, '1.75')
  await goTo(page, 'Keys', 'API keys')
  await makeKey(page, 'after it')
  await goTo(page, 'Home')
  await page.getByRole('heading', { name: 'You can call now' }).waitFor()
  assert.equal(loads(), 0)
})
