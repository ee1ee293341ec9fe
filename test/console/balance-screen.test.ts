import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { fillUsage, findAccountId } from '../support/console/fill-usage.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { readDownload } from '../support/console/read-download.ts'
import { FAILED_ID, failReplies, holdReplies } from '../support/console/stop-replies.ts'
import { operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const SELLER = { name: 'Example, Lda', address: 'Rua 1', vatId: 'PT500000000', vatRate: 23 }
const service = await serveFor(
  { after },
  { identity: 'localhost', trustedProxies: ['127.0.0.1'], seller: SELLER },
)
const off = await serveFor(
  { after },
  { identity: 'localhost', trustedProxies: ['127.0.0.1'], payments: { kind: 'off' } },
)
const { issuer } = service.app.identity
const MOVEMENTS = '**/console/api/accounts/*/movements*'

/** Presses an amount, and is at the checkout. */
async function goToCheckout(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Top up €${amount}`, exact: true }).click()
  await page.waitForURL('**/sandbox/checkout/*')
}

async function act(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  await page.locator('[role=status]').waitFor()
}

const wayBack = (page: Page) => page.getByRole('link', { name: 'Cancel and go back' }).click()

testInBrowser(
  'pay in: balance and tier rise, and statement and receipt are there',
  {},
  async (page) => {
    const foreign = watchForeignRequests(service, page)
    await signInTo(service, page, 'ana@example.com')
    await openScreen(service, page, '/console/balance', 'Balance')
    const main = page.getByRole('main')
    await main.getByText('€1.00', { exact: true }).waitFor()
    await main.getByText('Test money', { exact: true }).waitFor()
    await main.getByText(/there is no automatic top-up/).waitFor()
    await main.getByText('No top-ups yet').waitFor()
    await goToCheckout(page, '20.00')
    await act(page, 'Pay')
    await page.getByRole('link', { name: 'Go back to the service' }).click()
    await page.waitForURL('**/console/balance?topup=top_*')
    await main.getByText('€20.00 was paid in.').waitFor()
    await main.getByText('€21.00', { exact: true }).waitFor()
    await main.locator('dd', { hasText: /^2$/ }).waitFor()
    const statement = main.getByRole('table', { name: 'Statement' })
    assert.match(await statement.locator('tbody tr').first().innerText(), /\+€20\.00\s+Paid in/)
    await main.getByText('Paid', { exact: true }).waitFor()
    await main.getByRole('button', { name: 'All right' }).click()
    await page.waitForURL(`${issuer}/console/balance`)
    await main.getByRole('link', { name: /^Receipt R-/ }).click()
    await page.getByRole('heading', { name: 'Receipt' }).waitFor()
    assert.deepEqual(foreign, [])
  },
)

testInBrowser(
  'a payment that comes later is waited for, and never booked by looking',
  {},
  async (page) => {
    await signInTo(service, page, 'bia@example.com')
    await openScreen(service, page, '/console/balance', 'Balance')
    await goToCheckout(page, '50.00')
    const sessionId = page.url().split('/').at(-1)?.split('?')[0] ?? ''
    await wayBack(page)
    await page.getByText('Waiting for your payment of €50.00.').waitFor()
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Pay €50.00' }).waitFor()
    await main.getByText('€1.00', { exact: true }).first().waitFor()
    await service.app.payments?.sandbox?.play(sessionId, 'pay')
    await main.getByText('€50.00 was paid in.').waitFor()
    await main.getByText('€51.00', { exact: true }).waitFor()
    await main.getByRole('link', { name: /^Receipt R-/ }).waitFor()
  },
)

testInBrowser('a checkout that was left can be opened again', {}, async (page) => {
  await signInTo(service, page, 'carla@example.com')
  await openScreen(service, page, '/console/balance', 'Balance')
  await goToCheckout(page, '10.00')
  await page.goBack()
  await page.getByRole('button', { name: 'Pay €10.00' }).click()
  await page.waitForURL('**/sandbox/checkout/*')
})

testInBrowser('the statement adds up to the balance, and is kept as a file', {}, async (page) => {
  await signInTo(service, page, 'dora@example.com')
  const accountId = await fillUsage(service, 'dora@example.com', { daysAgo: [2, 1, 0] })
  const reference = `a gift, "for all" ${'x'.repeat(150)}`
  const grant = { kind: 'grant', amount_eur: '0.000000001', reference }
  await operate(service, 'POST', `/accounts/${accountId}/credits`, grant)
  await openScreen(service, page, '/console/balance', 'Balance')
  const table = page.getByRole('table', { name: 'Statement' })
  await table.getByText(reference).waitFor()
  const press = () => page.getByRole('button', { name: 'Download CSV' }).click()
  const { name, text } = await readDownload(page, press)
  assert.equal(name, `statement-${accountId}.csv`)
  const [header, ...lines] = text.trimEnd().split('\r\n')
  assert.equal(header, 'day,time_utc,kind,amount_eur,requests,reference')
  assert.equal(lines.length, await table.locator('tbody tr').count())
  const nano = lines.map((line) => BigInt(Math.round(Number(line.split(',')[3]) * 1e9)))
  const { balance_eur: balance } = (await operate(service, 'GET', `/accounts/${accountId}`)).json
  const sum = nano.reduce((a, b) => a + b, 0n)
  assert.equal(sum, BigInt(Math.round(Number(balance) * 1e9)))
  assert.ok(text.includes(`"credit:${reference.replaceAll('"', '""')}"`), text)
  await page.getByRole('link', { name: 'Requests of 20 Nov 2026' }).click()
  await page.waitForURL('**/console/requests?from=2026-11-20&to=2026-11-20')
  await page.goBack()
  await page.getByRole('link', { name: 'Usage of 20 Nov 2026' }).click()
  await page.getByRole('img', { name: /20 Nov 2026 to 20 Nov 2026/ }).waitFor()
})

testInBrowser('loading, failed, and too many checkouts', {}, async (page) => {
  await signInTo(service, page, 'eva@example.com')
  const release = await holdReplies(page, MOVEMENTS)
  await openScreen(service, page, '/console/balance', 'Balance')
  await page.getByRole('main').getByText('Loading…').first().waitFor({ state: 'attached' })
  await release()
  await page.getByRole('table', { name: 'Statement' }).waitFor()
  const mend = await failReplies(page, MOVEMENTS)
  await page.reload()
  await page.getByText(FAILED_ID).waitFor()
  await assertAccessible(page, 'a statement that failed')
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Statement' }).waitFor()
  const refusal = { type: 'rate_limit_error', code: 'too_many_attempts', message: 'Too many.' }
  await page.route('**/topups', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '90' }, json: { error: refusal } }),
  )
  await page.getByRole('button', { name: 'Top up €10.00' }).click()
  await page.getByText('Too often. Try again in 90 s.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Top up €10.00' }).isEnabled(), true)
})

testInBrowser('everybody can read and raise their balance', {}, async (page) => {
  for (const [lang, title] of [
    ['en', 'Balance'],
    ['pt', 'Saldo'],
  ] as const) {
    const email = `filipa.${lang}@example.com`
    await page.context().clearCookies()
    await signInTo(service, page, email)
    await fillUsage(service, email, { daysAgo: [1, 0], depositEur: '8999000.123456789' })
    const accountId = await findAccountId(service, email)
    const open = (amount: string) =>
      page.request.post(`${issuer}/console/api/accounts/${accountId}/topups`, {
        data: { amount_eur: amount },
        headers: { origin: issuer },
      })
    await open('10.00')
    const { id, checkout_url: url } = (await (await open('20.00')).json()) as Record<string, string>
    const sessionId = url?.split('/').at(-1) ?? ''
    await service.app.payments?.sandbox?.play(sessionId, 'pay')
    await service.app.payments?.sandbox?.play(sessionId, 'refund_half')
    await page.goto(`${issuer}/console/balance?lang=${lang}&topup=${id}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.locator('a[href^="/documents/"]').nth(1).waitFor()
    await assertAccessible(page, `balance, ${lang}`, SCHEMES[lang])
  }
})

testInBrowser('where nobody takes payments, it says so', {}, async (page) => {
  await signInTo(off, page, 'gil@example.com')
  await openScreen(off, page, '/console/balance', 'Balance')
  await page.getByText('Payments are off').waitFor()
  await page.getByRole('table', { name: 'Statement' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Top up/ }).count(), 0)
  assert.equal(await page.getByText('Top-ups and receipts').count(), 0)
  await assertAccessible(page, 'a balance without payments')
})
