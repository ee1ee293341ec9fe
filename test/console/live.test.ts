import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { credit } from '../support/call.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo } from '../support/console/open-console.ts'
import { findAccountId } from '../support/console/own-account.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor(
  { after },
  {
    identity: 'localhost',
    trustedProxies: ['127.0.0.1'],
    watchBounds: { checkSessionEveryMs: 300 },
  },
)
const { issuer } = service.app.identity

/** What the navigation of a desk says. */
const balanceOf = (page: Page, euros: string) =>
  page.getByRole('link', { name: `Balance ${euros}` }).waitFor()

testInBrowser('what the operator gives shows in every tab, without a reload', {}, async (page) => {
  const email = 'two-tabs@example.com'
  await signInTo(service, page, email)
  const accountId = await findAccountId(service, email)
  const other = await page.context().newPage()
  await openScreen(service, page, '/console', 'Home')
  await openScreen(service, other, '/console/keys', 'API keys')
  for (const tab of [page, other]) await balanceOf(tab, '€1.00')
  await credit(service, accountId, 'grant', '5.25')
  for (const tab of [page, other]) await balanceOf(tab, '€6.25')
  await page.getByRole('main').getByText('€6.25').first().waitFor()
})

testInBrowser('one stream serves all screens', {}, async (page) => {
  await signInTo(service, page, 'one-stream@example.com')
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.url())
  })
  await openScreen(service, page, '/console', 'Home')
  for (const name of ['Keys', 'First call', 'Home']) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  assert.equal(streams.length, 1)
})

testInBrowser('where the stream is cut, asking now and then goes on', {}, async (page) => {
  const email = 'cut@example.com'
  await signInTo(service, page, email)
  const accountId = await findAccountId(service, email)
  await page.route('**/events', (route) => route.abort())
  await openScreen(service, page, '/console', 'Home')
  await balanceOf(page, '€1.00')
  await credit(service, accountId, 'grant', '1.00')
  await balanceOf(page, '€2.00')
  // And when it comes back, the stream tells again.
  await page.unroute('**/events')
  await page.waitForResponse((response) => response.url().endsWith('/events'))
  await credit(service, accountId, 'grant', '1.00')
  await balanceOf(page, '€3.00')
})

testInBrowser(
  'without a network nothing is asked, and all of it when it is back',
  {},
  async (page) => {
    const email = 'offline@example.com'
    await signInTo(service, page, email)
    const accountId = await findAccountId(service, email)
    await openScreen(service, page, '/console', 'Home')
    await balanceOf(page, '€1.00')
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await credit(service, accountId, 'grant', '1.00')
    await page.context().setOffline(false)
    await balanceOf(page, '€2.00')
    assert.equal(await page.getByText('You are offline.').count(), 0)
  },
)

testInBrowser('a session that is ended elsewhere is told of at once', {}, async (page) => {
  await signInTo(service, page, 'ended@example.com')
  await openScreen(service, page, '/console', 'Home')
  await balanceOf(page, '€1.00')
  const { request } = page.context()
  const sessions = `${issuer}/console/api/sessions`
  const { data } = (await (await request.get(sessions)).json()) as { data: [{ id: string }] }
  await request.delete(`${sessions}/${data[0].id}`, { headers: { origin: issuer } })
  await page.getByRole('dialog', { name: 'You are signed out' }).waitFor()
})
