import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, hello, operate } from '../../support/call.ts'
import {
  countLoads,
  goTo,
  JOURNEY,
  readAccount,
  readReceipts,
  signUp,
  waitForBalance,
  waitForFact,
} from '../../support/console/journey.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, JOURNEY)
const { issuer } = service.app.identity
const EMAIL = 'ana@example.com'

testInBrowser(
  'from nothing to a paid euro, a ceiling, and a key that is over',
  {},
  async (page) => {
    await signUp(service, page, EMAIL)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await waitForBalance(page, '1.00')
    const key = await makeFirstCall(page)
    await topUp(page)
    await meetCeiling(page, key)
    await revoke(page, key)
    await assertBooksAgree(page)
  },
)

/** By the three steps of First call, which sees it arrive. */
async function makeFirstCall(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Make your first call' }).click()
  await page.getByRole('heading', { level: 1, name: 'First call' }).waitFor()
  const loads = countLoads(page)
  await page.getByRole('textbox', { name: 'Name of the key' }).fill('laptop')
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = await page.getByRole('region', { name: 'API key' }).innerText()
  const command = await page.getByRole('region', { name: 'curl' }).innerText()
  assert.ok(command.includes(key), 'the command has the key in it')
  await page.getByText('Waiting for your call…').waitFor()
  const answer = await chat(service, key, 'air', hello)
  assert.equal(answer.status, 200)

  await page.getByText('Your call has arrived').waitFor()
  const { id: accountId, balance_eur: balance } = await readAccount(service, EMAIL)
  const [receipt] = await readReceipts(service, accountId)
  assert.ok(receipt)
  await waitForFact(page, 'Cost', `€${receipt.cost_eur}`)
  const { prompt_tokens: read, completion_tokens: written } = answer.json.usage
  await waitForFact(page, 'Tokens in → out', `${read} → ${written}`)
  await waitForBalance(page, balance)
  await page.getByRole('button', { name: 'I stored it' }).click()
  const ready = await page.getByText('is ready, and no longer shown.').innerText()
  const [, prefix = '', lastFour = ''] = /^“laptop” \((\w+)…(\w{4})\)/.exec(ready) ?? []
  assert.ok(prefix !== '' && key.startsWith(prefix) && key.endsWith(lastFour), ready)
  assert.equal((await page.content()).includes(key), false, 'the key is shown once')
  assert.equal(loads(), 0)
  return key
}

/** Twenty euros at the sandbox's checkout, which raise the tier. */
async function topUp(page: Page): Promise<void> {
  await goTo(page, 'Limits')
  await page.getByRole('heading', { name: 'Tier 1' }).waitFor()
  await goTo(page, 'Balance')
  await page.getByRole('button', { name: 'Top up €20.00' }).click()
  await page.waitForURL('**/sandbox/checkout/*')
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('link', { name: 'Go back to the service' }).click()
  await page.waitForURL(`${issuer}/console/balance?topup=*`)
  await page.getByRole('status').getByText('€20.00 was paid in.').waitFor()

  const account = await readAccount(service, EMAIL)
  assert.deepEqual([account.deposits_eur, account.tier], ['20.00', 2])
  const [receipt] = await readReceipts(service, account.id)
  assert.ok(receipt)
  assert.equal(nano(account.balance_eur), nano('21.00') - nano(receipt.cost_eur))
  await waitForBalance(page, account.balance_eur)
  await waitForFact(page, 'Paid in altogether', '€20.00')
  await waitForFact(page, 'Tier', '2')
  await page.getByRole('link', { name: /^Receipt R-/ }).waitFor()
  const statement = page.getByRole('region', { name: 'Statement' })
  for (const amount of ['+€20.00', `-€${receipt.cost_eur}`, '+€1.00']) {
    await statement.getByRole('cell', { name: amount, exact: true }).waitFor()
  }
  await goTo(page, 'Limits')
  await page.getByRole('heading', { name: 'Tier 2' }).waitFor()
}

/** As much as was spent already: the next call is refused, and Home says why while it is looked at. */
async function meetCeiling(page: Page, key: string): Promise<void> {
  const home = await page.context().newPage()
  await home.goto(`${issuer}/console`)
  await home.getByRole('heading', { name: 'You can call now' }).waitFor()
  const loads = countLoads(home)
  const { spent_today_eur: spent } = await readAccount(service, EMAIL)

  await page.bringToFront()
  const field = page.getByRole('textbox', { name: 'Daily ceiling in euros' })
  await field.fill(spent)
  await field.press('Enter')
  await page.getByText(`The daily ceiling is €${spent}.`).waitFor()
  const refused = await chat(service, key, 'air', hello)
  assert.equal(refused.status, 429)
  assert.equal(refused.json.error.code, 'daily_spend_limit_reached')

  await home.getByRole('heading', { name: 'You cannot call now' }).waitFor()
  await home.getByText(`Today’s ceiling of €${spent} is reached.`).waitFor()
  await home.bringToFront()
  await home.getByRole('link', { name: 'Change the ceiling' }).click()
  await home.getByRole('heading', { level: 1, name: 'Limits' }).waitFor()
  await home.getByRole('button', { name: 'Remove ceiling' }).click()
  const dialog = home.getByRole('dialog', { name: 'Remove the daily ceiling?' })
  await dialog.getByRole('button', { name: 'Remove ceiling' }).click()
  await home.getByText('There is no daily ceiling any more.').waitFor()
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  await goTo(home, 'Home')
  await home.getByRole('heading', { name: 'You can call now' }).waitFor()
  assert.equal(loads(), 0)
  await home.close()
}

async function revoke(page: Page, key: string): Promise<void> {
  await goTo(page, 'Keys', 'API keys')
  await page.getByRole('button', { name: 'Revoke laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke “laptop”' })
  const submit = dialog.getByRole('button', { name: 'Revoke', exact: true })
  const name = dialog.getByRole('textbox', { name: 'Type laptop to go on' })
  await name.fill('lapto')
  assert.equal(await submit.isDisabled(), true)
  await name.fill('laptop')
  await submit.click()
  await page.getByRole('status').getByText('Key “laptop” is revoked.').waitFor()
  const refused = await chat(service, key, 'air', hello)
  assert.deepEqual([refused.status, refused.json.error.code], [401, 'invalid_api_key'])
}

/** What the screens say in the end is what was charged, and what the books have. */
async function assertBooksAgree(page: Page): Promise<void> {
  const account = await readAccount(service, EMAIL)
  const receipts = await readReceipts(service, account.id)
  assert.equal(receipts.length, 2, 'refused calls cost nothing')
  const spent = receipts.reduce((sum, { cost_eur: cost }) => sum + nano(cost), 0n)
  assert.equal(nano(account.spent_today_eur), spent)
  assert.equal(nano(account.balance_eur), nano('21.00') - spent)
  await waitForBalance(page, account.balance_eur)
  await goTo(page, 'Home')
  await waitForFact(page, 'Balance', `€${account.balance_eur}`)
  await page.getByText(`€${account.spent_today_eur} spent today`).waitFor()
  const { json: books } = await operate(service, 'GET', '/ledger/verify')
  assert.deepEqual([books.ok, books.discrepancies], [true, []])
}

/** Exactly, and not as the service does it. */
function nano(euros: string): bigint {
  const [whole = '', decimals = ''] = euros.split('.', 2)
  return BigInt(whole + decimals.padEnd(9, '0'))
}
