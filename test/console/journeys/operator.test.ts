import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { operate } from '../../support/call.ts'
import { makeOperator } from '../../support/console/furnish.ts'
import {
  countLoads,
  goTo,
  JOURNEY,
  openAnother,
  readAccount,
  waitForBalance,
  waitForFact,
} from '../../support/console/journey.ts'
import { signInTo } from '../../support/console/open-console.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, JOURNEY)
const { issuer } = service.app.identity
const [OPERATOR, OTHER] = ['olga@example.com', 'ana@example.com']

testInBrowser(
  'an operator credits somebody who looks on, and is named for it',
  {},
  async (page, t) => {
    const other = await openAnother(page, t)
    await signInTo(service, other, OTHER)
    await other.goto(`${issuer}/console`)
    await waitForBalance(other, '1.00')
    const loads = countLoads(other)
    const operatorId = await signInByLink(page)

    await creditOther(page)
    await waitForBalance(other, '13.500000001')
    await waitForFact(other, 'Balance', '€13.500000001')
    await other.getByRole('heading', { name: 'Tier 2' }).waitFor()
    assert.equal(loads(), 0, 'without a reload')
    const account = await readAccount(service, OTHER)
    assert.deepEqual(
      [account.balance_eur, account.deposits_eur, account.tier],
      ['13.500000001', '12.500000001', 2],
    )

    const entries = (await operate(service, 'GET', '/audit')).json.data
    const entry = entries.find(({ action }) => action === 'credit.booked')
    assert.deepEqual([entry?.actor, entry?.account_id], [operatorId, account.id])
    await goToPart(page, 'Audit')
    const row = page.getByRole('row').filter({ hasText: 'Booked a credit' })
    await row.getByText(OPERATOR).waitFor()
    await row.locator('summary').click()
    await row.getByText('12.500000001', { exact: true }).waitFor()
    const { json: books } = await operate(service, 'GET', '/ledger/verify')
    assert.deepEqual([books.ok, books.discrepancies], [true, []])

    await other.goto(`${issuer}/console/operator/audit`)
    await other.getByRole('heading', { level: 1, name: 'For operators' }).waitFor()
  },
)

/** Signs an operator in who has no password; their id. */
async function signInByLink(page: Page): Promise<string> {
  await operate(service, 'POST', '/accounts', { email: OPERATOR })
  await makeOperator(service, OPERATOR)
  const { json: people } = await operate(service, 'GET', `/people?email=${OPERATOR}`)
  const [{ id }] = people.data
  const { json: link } = await operate(service, 'POST', `/people/${id}/sign-in-links`, {})
  await page.goto(link.url)
  await page.getByText(OPERATOR).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${issuer}/console`)
  return id
}

async function goToPart(page: Page, name: string): Promise<void> {
  const parts = page.getByRole('navigation', { name: 'Operator' })
  await parts.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Finds the account by its address, and books a deposit as it came in. */
async function creditOther(page: Page): Promise<void> {
  await goTo(page, 'Operator')
  await goToPart(page, 'Accounts')
  const search = page.getByRole('search').getByRole('textbox', { name: 'E-mail address' })
  await search.fill(OTHER)
  await search.press('Enter')
  await page.getByRole('table').getByRole('link', { name: OTHER }).click()
  await page.getByRole('heading', { level: 2, name: OTHER }).waitFor()
  await page.getByRole('textbox', { name: 'Amount in euros' }).fill('12.500000001')
  await page.getByRole('textbox', { name: 'Reference' }).fill('invoice 2026/117')
  await page.getByRole('button', { name: 'Book credit' }).click()
  await page.getByText('€12.500000001 is booked under “invoice 2026/117”.').waitFor()
  await waitForFact(page, 'Balance', '€13.500000001')
}
