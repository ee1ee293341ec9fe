import { after } from 'node:test'
import assert from 'node:assert/strict'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { credit, operate } from '../support/call.ts'
import { findAccountId } from '../support/console/own-account.ts'
import { openScreen, signInTo } from '../support/console/open-console.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

testInBrowser(
  'who did what is told, filtered, and leads to what it was done to',
  {},
  async (page) => {
    const email = 'ana@example.com'
    await signInTo(service, page, email)
    const accountId = await findAccountId(service, email)
    await credit(service, accountId, 'deposit', '12.50')
    for (let key = 0; key < 55; key += 1) {
      await operate(service, 'POST', `/accounts/${accountId}/keys`, { name: `key ${key}` })
    }
    await openScreen(service, page, '/console/keys', 'API keys')
    await page.getByRole('link', { name: 'What was done' }).click()
    await page.waitForURL(`${issuer}/console/activity?kind=keys`)
    const table = page.getByRole('table', { name: 'Activity, newest first' })
    const rows = table.locator('tbody tr')
    await rows.first().getByText('Created a key').waitFor()
    await rows.first().getByText('The operator', { exact: true }).waitFor()
    assert.equal(await rows.count(), 50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(54).waitFor()
    assert.equal(await rows.count(), 55)
    await page.getByLabel('About').selectOption('money')
    await page.waitForURL(`${issuer}/console/activity?kind=money`)
    await rows.first().getByText('Booked a credit').waitFor()
    await rows.first().getByText('Details').click()
    await rows.first().getByText('amount_eur: 12.50').waitFor()
    await assertAccessible(page, 'activity about money')
    await page.getByLabel('About').selectOption('sign_in')
    await rows.first().getByText('Signed in').waitFor()
    await rows.first().getByText('You', { exact: true }).waitFor()
    await page.getByLabel('To (UTC day)').fill('2020-01-01')
    await page.getByText('Nothing fits').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL(`${issuer}/console/activity`)
    await rows.first().getByRole('link', { name: 'key 54' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  },
)

testInBrowser(
  'what is done in one browser is told in Portuguese',
  { locale: 'pt-PT' },
  async (page) => {
    await signInTo(service, page, 'ines@example.com')
    await openScreen(service, page, '/console/activity', 'Atividade')
    const rows = page.getByRole('table').locator('tbody tr')
    const begun = rows.filter({ hasText: 'Iniciou sessão' })
    await begun.getByText('Você', { exact: true }).waitFor()
    await begun.getByText(/\d+\.\d+\.\d+\.\d+|::/).waitFor()
    await rows.filter({ hasText: 'Criou uma conta' }).waitFor()
    await assertAccessible(page, 'activity, pt')
  },
)
