import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, hello, openAccount, operate } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })

async function openAccountPage(page: Page, operator: string, accountId: string): Promise<void> {
  await signInOperator(service, page, operator)
  await openScreen(service, page, `/console/operator/accounts/${accountId}`, 'Account')
  await page.getByRole('button', { name: 'Book credit' }).waitFor()
}

const readAccount = async (id: string) => (await operate(service, 'GET', `/accounts/${id}`)).json

/** What stands beside a name among the facts. */
const factOf = (page: Page, name: string) =>
  page.locator('dt', { hasText: name }).first().locator('xpath=following-sibling::dd').innerText()

testInBrowser('an account is found by its address, or created', {}, async (page) => {
  await openAccount(service)
  await signInOperator(service, page, 'finder@example.com')
  await openScreen(service, page, '/console/operator/accounts', 'Accounts')
  const search = page.getByRole('search').getByRole('textbox', { name: 'E-mail address' })
  await search.fill('Nobody@example.com')
  await search.press('Enter')
  await page.getByText('Nobody has an account with Nobody@example.com').waitFor()
  assert.equal(new URL(page.url()).searchParams.get('email'), 'Nobody@example.com')

  await page.getByRole('button', { name: 'Create account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create account' })
  await dialog.getByRole('button', { name: 'Create account' }).click()
  await dialog.getByText('Give an e-mail address.').waitFor()
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('Nobody@example.com')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('No Body')
  await page.keyboard.press('Enter')
  await page.getByText('The account of nobody@example.com is there.').waitFor()
  await page.getByRole('table').getByRole('link', { name: 'nobody@example.com' }).waitFor()
  const focused = await page.evaluate('document.activeElement.textContent')
  assert.equal(focused, 'Create account', 'the focus is back where it came from')

  await page.goBack()
  await page.getByRole('table').getByRole('link', { name: 'finder@example.com' }).waitFor()
  await page.goForward()
  await page.getByRole('table').getByRole('link', { name: 'nobody@example.com' }).click()
  await page.getByRole('heading', { level: 2, name: 'nobody@example.com' }).waitFor()
  assert.equal(await factOf(page, 'Name'), 'No Body')
})

testInBrowser('long lists come in pages, and the focus stays at the end', {}, async (page) => {
  for (let made = 0; made < 51; made += 1) {
    await operate(service, 'POST', '/accounts', { email: `many-${made}@example.com` })
  }
  await signInOperator(service, page, 'pager@example.com')
  await openScreen(service, page, '/console/operator/accounts', 'Accounts')
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.first().waitFor()
  assert.equal(await rows.count(), 50)
  const more = page.getByRole('button', { name: 'Show more' })
  await page.route(/\/accounts\?cursor=/, (route) => route.abort())
  await more.click()
  await page.getByText('The service cannot be reached').waitFor()
  assert.equal(await rows.count(), 50, 'what was there stays')
  await page.unroute(/\/accounts\?cursor=/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(/That is all\./).waitFor()
  assert.ok((await rows.count()) > 51)
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /That is all/)
})

testInBrowser('a credit is booked once, however often it is sent', {}, async (page) => {
  const { accountId } = await openAccount(service)
  await openAccountPage(page, 'creditor@example.com', accountId)
  const amount = page.getByRole('textbox', { name: 'Amount in euros' })
  const book = page.getByRole('button', { name: 'Book credit' })
  await amount.fill('12,50')
  await book.click()
  await page.getByText('Give an amount such as 20.00').waitFor()
  await amount.fill('12.50')
  // The service books it, and its answer gets lost.
  await page.route('**/credits', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await book.click()
  await page.getByText('The service cannot be reached').waitFor()
  await page.unroute('**/credits')
  await amount.press('Enter')
  await page.getByText(/€12\.50 is booked under “credit-/).waitFor()
  assert.equal((await readAccount(accountId)).balance_eur, '13.50')
  await page.getByText('€13.50', { exact: true }).waitFor()

  const reference = page.getByRole('textbox', { name: 'Reference' })
  await reference.fill('invoice-1')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('grant')
  await amount.fill('0.000000001')
  await book.click()
  await page.getByText('€0.000000001 is booked under “invoice-1”').waitFor()
  await amount.fill('3.00')
  await reference.fill('invoice-1')
  await book.click()
  await page.getByText("reference: invoice-1 is another credit's already").waitFor()
  const { balance_eur: balance, deposits_eur: deposits } = await readAccount(accountId)
  assert.deepEqual([balance, deposits], ['13.500000001', '12.50'])
})

testInBrowser('limits and alerts are changed, and only what was changed', {}, async (page) => {
  const { accountId } = await openAccount(service)
  await openAccountPage(page, 'limiter@example.com', accountId)
  const ceiling = page.getByRole('textbox', { name: 'Daily ceiling in euros' })
  await page.getByRole('combobox', { name: 'Lowest tier' }).selectOption('2')
  await page.getByRole('combobox', { name: 'Plan' }).selectOption('ELITE')
  await ceiling.fill('five')
  await ceiling.press('Enter')
  await page.getByText('Give an amount such as 5.00, or leave it empty.').waitFor()
  await ceiling.fill('5.00')
  await ceiling.press('Enter')
  await page.getByText('The changes are saved.').waitFor()
  const changed = await readAccount(accountId)
  assert.deepEqual(
    [changed.min_tier, changed.plan, changed.daily_ceiling_eur],
    [2, 'ELITE', '5.00'],
  )
  // Somebody else changes the plan meanwhile.
  await operate(service, 'PATCH', `/accounts/${accountId}`, { plan: 'PRO' })
  await ceiling.fill('')
  await ceiling.press('Enter')
  await page.getByText('The changes are saved.').waitFor()
  const later = await readAccount(accountId)
  assert.deepEqual([later.plan, later.daily_ceiling_eur], ['PRO', null])

  await page.getByRole('textbox', { name: 'Tell when the balance falls below' }).fill('7.50')
  await page.getByRole('checkbox', { name: /Tell at 50, 80/ }).uncheck()
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await page.getByText('The alerts are saved.').waitFor()
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/alerts`)
  assert.deepEqual(json, { low_balance_eur: '7.50', ceiling: false })
})

testInBrowser(
  'a suspended account is refused at its next call, until it is not',
  {},
  async (page) => {
    const { accountId, key } = await openAccount(service)
    await openAccountPage(page, 'suspender@example.com', accountId)
    await page.getByRole('button', { name: 'Suspend account' }).click()
    const dialog = page.getByRole('dialog', { name: /^Suspend the account of / })
    await dialog.getByText('refused with 401').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
    await page.getByRole('button', { name: 'Suspend account' }).click()
    await dialog.getByRole('button', { name: 'Suspend account' }).click()
    await page.getByText('Its keys are refused.').waitFor()
    assert.equal((await chat(service, key, 'air', hello)).status, 401)
    await page.getByRole('button', { name: 'Lift the suspension' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the suspension' }).click()
    await page.getByText('Its keys are accepted.').waitFor()
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
  },
)

testInBrowser(
  'a key is shown once, works, leaves receipts, and is revoked by its name',
  {},
  async (page) => {
    const { json: account } = await operate(service, 'POST', '/accounts', {
      email: 'key@example.com',
    })
    await openAccountPage(page, 'keymaster@example.com', account.id)
    await page.getByText('This account has no key').waitFor()
    await page.getByText('No request has reached a model yet').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('production')
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'The key “production”' })
    const key = await shown.getByRole('region', { name: 'API key' }).innerText()
    assert.match(key, /^svc_live_/)
    await page.keyboard.press('Escape')
    assert.equal(await shown.isVisible(), true, 'it goes only when it was stored')
    await shown.getByRole('button', { name: 'I stored it' }).click()
    await shown.waitFor({ state: 'detached' })
    assert.equal((await page.content()).includes(key), false)
    assert.equal((await chat(service, key, 'prime', hello)).status, 200)
    await page.reload()
    const receipts = page.getByRole('region', { name: 'Receipts of this account' })
    await receipts.getByText('prime').waitFor()
    const { json } = await operate(service, 'GET', `/accounts/${account.id}/receipts`)
    await receipts.getByText(`€${json.data[0].cost_eur}`, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Revoke (production)' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke the key “production”?' })
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByText('This is not the name.').waitFor()
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
    await dialog.getByRole('textbox').fill('production')
    await page.keyboard.press('Enter')
    await page.getByText('The key “production” is revoked.').waitFor()
    assert.equal((await chat(service, key, 'air', hello)).status, 401)
    await page
      .getByRole('region', { name: 'Keys of this account' })
      .getByText('Revoked')
      .first()
      .waitFor()
  },
)

testInBrowser('what a key may spend, and until when, stands beside it', {}, async (page) => {
  const { json: account } = await operate(service, 'POST', '/accounts', {
    email: 'two@example.com',
  })
  const path = `/accounts/${account.id}/keys`
  const expired = { name: 'past', expires_at: service.clock.nowMs() + 1_000 }
  await operate(service, 'POST', path, expired)
  await operate(service, 'POST', path, { name: 'small', daily_ceiling_eur: '0.123456789' })
  await page.clock.setFixedTime(service.clock.nowMs() + 20_000)
  await openAccountPage(page, 'reader@example.com', account.id)
  const rowOf = (name: string) =>
    page.getByRole('region', { name: 'Keys of this account' }).locator('tr', { hasText: name })
  await rowOf('small').getByText('€0.123456789').waitFor()
  await rowOf('small').getByText('Active').waitFor()
  await rowOf('past').getByText('Expired').waitFor()
})

testInBrowser('an account that is not there is said not to be', {}, async (page) => {
  await signInOperator(service, page, 'lost@example.com')
  await openScreen(service, page, '/console/operator/accounts/acc_none', 'Account')
  await page.getByText('There is nothing here, or no more.').waitFor()
})

testInBrowser(
  'a key that was made is shown, though its dialog was closed meanwhile',
  {},
  async (page) => {
    const { accountId } = await openAccount(service)
    await openAccountPage(page, 'hasty@example.com', accountId)
    const closed = Promise.withResolvers<void>()
    await page.route('**/keys', async (route) => {
      await closed.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('hasty')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    closed.resolve()
    await page.getByRole('dialog', { name: 'The key “hasty”' }).waitFor()
  },
)
