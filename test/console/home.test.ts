import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { chat, operate } from '../support/call.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { findAccountId, refuseCalls } from '../support/console/own-account.ts'
import { serveFor, type Service } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const DESK = { width: 1_280, height: 800 }
const SHORT = { messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 50 }

async function openHome(page: Page, email: string): Promise<string> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console', 'Home')
  return findAccountId(service, email)
}

const change = (accountId: string, body: object) =>
  operate(service, 'PATCH', `/accounts/${accountId}`, body)

async function makeKey(to: Service, accountId: string): Promise<string> {
  const { json } = await operate(to, 'POST', `/accounts/${accountId}/keys`, { name: 'a key' })
  return json.key
}

const verdict = (page: Page, text: string) => page.getByRole('heading', { name: text }).waitFor()

testInBrowser('who has never called may, and is led to the first call', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await openHome(page, 'new@example.com')
  await verdict(page, 'You can call now')
  await page.getByText('10 of 10 left').waitFor()
  await page.getByText('The minute begins with your next request.').waitFor()
  await page.getByText('€1.00 of €10.00').waitFor()
  await assertAccessible(page, 'home, new')
  await page.setViewportSize(DESK)
  await page.getByRole('link', { name: 'Make your first call' }).click()
  await page.getByRole('heading', { level: 1, name: 'First call' }).waitFor()
  assert.deepEqual(foreign, [])
})

testInBrowser(
  'each blocker is named with its way out, live, and goes as it came',
  {},
  async (page) => {
    const accountId = await openHome(page, 'blocked@example.com')
    await change(accountId, { suspended: true })
    await verdict(page, 'You cannot call now')
    await page.getByText('This account is suspended.').waitFor()
    await page.getByRole('link', { name: 'Balance €1.00 Cannot call now' }).waitFor()
    await change(accountId, { suspended: false })
    await verdict(page, 'You can call now')
    await change(accountId, { daily_ceiling_eur: '0.00' })
    await page.getByText('Today’s ceiling of €0.00 is reached.').waitFor()
    // The service's clock stands at noon UTC.
    await page.getByText(/It begins anew at 00:00 UTC.*\(12 h\)/).waitFor()
    await assertAccessible(page, 'home, blocked')
    await page.setViewportSize(DESK)
    await page.getByRole('link', { name: 'Change the ceiling' }).click()
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor()
  },
)

testInBrowser('requests show as they end, until those of the minute are used', {}, async (page) => {
  const accountId = await openHome(page, 'busy@example.com')
  const key = await makeKey(service, accountId)
  for (let time = 0; time < 10; time += 1) {
    assert.equal((await chat(service, key, 'air', SHORT)).status, 200)
  }
  await page.getByText('The 10 requests of this minute are used up.').waitFor()
  await page.getByText('0 of 10 left').waitFor()
  await page.getByRole('link', { name: 'See tiers' }).waitFor()
  const rows = page.getByRole('table', { name: 'Latest requests' }).getByRole('row')
  await rows.nth(5).waitFor()
  assert.equal(await rows.count(), 6)
  await page.getByRole('img', { name: /^Spend by UTC day over the last 7 days/ }).waitFor()
  await page.getByText('As a table').click()
  await page.getByRole('cell', { name: '21 Nov 2026', exact: true }).waitFor()
  await assertAccessible(page, 'home, used')
  await page.setViewportSize(DESK)
  await page.getByRole('button', { name: 'Português' }).click()
  await verdict(page, 'Não pode chamar agora')
  await assertAccessible(page, 'início')
})

testInBrowser('when the minute is over it says so by itself', {}, async (page) => {
  const accountId = await openHome(page, 'minute@example.com')
  const key = await makeKey(service, accountId)
  await chat(service, key, 'air', SHORT)
  await page.getByText('9 of 10 left').waitFor()
  service.clock.advance(59_000)
  // What is told next knows that one second is left.
  await operate(service, 'PATCH', `/accounts/${accountId}`, { daily_ceiling_eur: '9.00' })
  await page.getByText('€9.00').first().waitFor()
  service.clock.advance(1_000)
  await page.getByText('10 of 10 left').waitFor()
})

/** The real standing, with other figures in it: what takes thousands of calls to come about. */
async function pretend(page: Page, changes: object): Promise<void> {
  await page.route('**/events', (route) => route.abort())
  await page.route('**/standing', async (route) => {
    const response = await route.fetch()
    const standing = (await response.json()) as { account: object }
    await route.fulfill({ response, json: { ...standing, ...changes } })
  })
}

const ACCOUNT = {
  id: 'acc_1',
  tier: 3,
  balance_eur: '-9000000.123456789',
  held_eur: '1234567.123456789',
  deposits_eur: '9000000.00',
  spent_today_eur: '8999999.123456789',
  daily_ceiling_eur: null,
  suspended: false,
  created_at: 0,
}

testInBrowser('a balance that is used up leads to paying in', {}, async (page) => {
  await pretend(page, { blocker: 'balance', account: ACCOUNT, next_tier: null })
  await openHome(page, 'poor@example.com')
  await page.getByText('Your balance is used up.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Top up' }).waitFor()
  await page.getByText('This is the highest tier.').waitFor()
  await assertAccessible(page, 'home, long figures')
})

testInBrowser('what is held or used for the minute is told apart', {}, async (page) => {
  await pretend(page, { blocker: 'balance', account: { ...ACCOUNT, balance_eur: '0.10' } })
  await openHome(page, 'held@example.com')
  await page.getByText('All of your balance is held for requests under way.').waitFor()
  await page.unroute('**/standing')
  const windows = {
    requests: { limit: 10, left: 3 },
    tokens: { limit: 10_000, left: 0 },
    resets_at: service.clock.nowMs() + 42_000,
  }
  await pretend(page, { blocker: 'tokens', windows })
  await page.reload()
  await page.getByText('The 10,000 tokens of this minute are used up.').waitFor()
  await page.getByText('(42 s)').waitFor()
})

testInBrowser(
  'while it loads there is a skeleton, and where it fails a way on',
  {},
  async (page) => {
    await signInTo(service, page, 'failing@example.com')
    await page.route('**/events', (route) => route.abort())
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/standing', async (route) => {
      await held
      await route.fallback()
    })
    await openScreen(service, page, '/console', 'Home')
    await page.getByRole('main').getByText('Loading…').waitFor({ state: 'attached' })
    await page.unroute('**/standing')
    const letThrough = await refuseCalls(page, '**/standing')
    letGo()
    await page.reload()
    await page.getByRole('alert').getByText('req_of_the_test').waitFor()
    await assertAccessible(page, 'home, failed')
    await letThrough()
    await page.getByRole('button', { name: 'Try again' }).click()
    await verdict(page, 'You can call now')
  },
)
