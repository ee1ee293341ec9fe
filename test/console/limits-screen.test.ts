import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { chat, hello, operate } from '../support/call.ts'
import { assertRefused } from '../support/assert-refused.ts'
import { fillUsage, findAccountId } from '../support/console/fill-usage.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { FAILED_ID, failReplies, holdReplies } from '../support/console/stop-replies.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const STANDING = '**/console/api/accounts/*/standing'

async function makeKey(email: string): Promise<string> {
  const accountId = await findAccountId(service, email)
  const path = `/accounts/${accountId}/keys`
  return (await operate(service, 'POST', path, { name: 'test' })).json.key
}

const ceilingField = (page: Page) => page.getByLabel('Daily ceiling in euros')

testInBrowser('a ceiling is set, refuses calls, and is taken away again', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await signInTo(service, page, 'ana@example.com')
  const accountId = await fillUsage(service, 'ana@example.com', { daysAgo: [0, 0] })
  const key = await makeKey('ana@example.com')
  await openScreen(service, page, '/console/limits', 'Limits')
  await page.getByText('There is no daily ceiling: requests go on').waitFor()
  for (const wrong of ['', 'much', '1.000', '-1']) {
    await ceilingField(page).fill(wrong)
    await ceilingField(page).press('Enter')
    await page.getByText('Write an amount such as 5 or 2,50').waitFor()
  }
  await ceilingField(page).fill('9999999')
  await ceilingField(page).press('Enter')
  await page
    .getByRole('alert')
    .getByText(/daily_ceiling_eur/)
    .waitFor()

  await ceilingField(page).fill('0,000001')
  await ceilingField(page).press('Enter')
  await page.getByText('The daily ceiling is €0.000001.').waitFor()
  await page.getByText('The ceiling is reached: requests are refused.').waitFor()
  await page.getByText(/^Begins anew at 00:00 UTC \(/).waitFor()
  assert.equal(
    (await operate(service, 'GET', `/accounts/${accountId}`)).json.daily_ceiling_eur,
    '0.000001',
  )
  assertRefused(await chat(service, key, 'air', hello), 'daily_spend_limit_reached')
  await assertAccessible(page, 'a ceiling that is reached')
  await page.setViewportSize({ width: 1_280, height: 800 })

  await page.getByRole('button', { name: 'Remove ceiling' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the daily ceiling?' })
  await assertAccessible(page, 'a question')
  await dialog.getByRole('button', { name: 'Remove ceiling' }).click()
  await page.getByText('There is no daily ceiling any more.').waitFor()
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  assert.deepEqual(foreign, [])
})

testInBrowser('tier and minute follow what happens, without loading anew', {}, async (page) => {
  await signInTo(service, page, 'bia@example.com')
  const key = await makeKey('bia@example.com')
  await openScreen(service, page, '/console/limits', 'Limits')
  await page.getByRole('heading', { name: 'Tier 1' }).waitFor()
  await page.getByText(/^€9\.00 is missing/).waitFor()
  await page.getByText('10 of 10', { exact: true }).waitFor()
  await chat(service, key, 'air', { ...hello, max_tokens: 10 })
  await page.getByText('9 of 10', { exact: true }).waitFor()
  await page.getByText(/^Full again at /).waitFor()
  const accountId = await findAccountId(service, 'bia@example.com')
  const deposit = { kind: 'deposit', amount_eur: '150.00', reference: 'bia pays' }
  await operate(service, 'POST', `/accounts/${accountId}/credits`, deposit)
  await page.getByRole('heading', { name: 'Tier 3' }).waitFor()
  await page.getByText('This is the highest tier.').waitFor()
  const mine = page.getByRole('table', { name: 'All tiers' }).locator('tr', { hasText: 'yours' })
  assert.equal(
    (await mine.innerText()).replaceAll(/\s+/g, ' '),
    '3 (yours) above €100.00 500 1,000,000',
  )
})

testInBrowser('alerts are kept apart, and saved', {}, async (page) => {
  await signInTo(service, page, 'carla@example.com')
  await openScreen(service, page, '/console/limits', 'Limits')
  const low = page.getByLabel('When the balance falls below, in euros')
  const parts = page.getByLabel('At 50, 80 and 100 % of the daily ceiling')
  await low.fill('a lot')
  await low.press('Enter')
  await page.getByText('Write an amount such as 5 or 2,50').waitFor()
  await low.fill('3,125')
  await low.press('Enter')
  await page.getByText('Write an amount such as 5 or 2,50').waitFor()
  await low.fill('3,5')
  await parts.uncheck()
  await low.press('Enter')
  await page.getByText('The alerts are saved.').waitFor()
  const accountId = await findAccountId(service, 'carla@example.com')
  const read = async () => (await operate(service, 'GET', `/accounts/${accountId}/alerts`)).json
  assert.deepEqual(await read(), { low_balance_eur: '3.50', ceiling: false })
  await page.reload()
  await low.waitFor()
  assert.deepEqual([await low.inputValue(), await parts.isChecked()], ['3.50', false])
  await low.fill('')
  await page.getByRole('button', { name: 'Save alerts' }).press('Enter')
  await page.getByText('The alerts are saved.').waitFor()
  assert.deepEqual(await read(), { low_balance_eur: null, ceiling: false })
  assert.equal(await page.evaluate('document.activeElement?.textContent'), 'Save alerts')
})

testInBrowser('loading and failed', {}, async (page) => {
  await signInTo(service, page, 'dora@example.com')
  await page.route('**/console/api/accounts/*/events', (route) => route.abort())
  const release = await holdReplies(page, STANDING)
  await openScreen(service, page, '/console/limits', 'Limits')
  await page.getByRole('main').getByText('Loading…').waitFor({ state: 'attached' })
  await release()
  await page.getByRole('heading', { name: 'Tier 1' }).waitFor()
  const mend = await failReplies(page, STANDING)
  await page.reload()
  await page.getByRole('main').getByText(FAILED_ID).waitFor()
  await assertAccessible(page, 'limits that failed')
  await mend()
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Tier 1' }).waitFor()
  await page.route('**/console/api/accounts/*', (route) => route.abort())
  await ceilingField(page).fill('5')
  await ceilingField(page).press('Enter')
  await page.getByText('The service cannot be reached. Check your connection.').waitFor()
  assert.equal(await ceilingField(page).inputValue(), '5')
})

testInBrowser('everybody can read and set limits', {}, async (page) => {
  for (const [lang, title] of [
    ['en', 'Limits'],
    ['pt', 'Limites'],
  ] as const) {
    const email = `filipa.${lang}.${'x'.repeat(40)}@example.com`
    await page.context().clearCookies()
    await signInTo(service, page, email)
    const accountId = await fillUsage(service, email, { daysAgo: [0], depositEur: '99.123456789' })
    const change = { daily_ceiling_eur: '8999999.123456789' }
    await operate(service, 'PATCH', `/accounts/${accountId}`, change)
    await page.goto(`${issuer}/console/limits?lang=${lang}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('table').waitFor()
    await assertAccessible(page, `limits, ${lang}`, SCHEMES[lang])
  }
})
