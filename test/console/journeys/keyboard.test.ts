import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, hello } from '../../support/call.ts'
import { JOURNEY, readAccount, waitForBalance, waitForFact } from '../../support/console/journey.ts'
import { assertFocusKept, hasFocus, tabTo, waitForFocus } from '../../support/console/keyboard.ts'
import { openScreen, signInTo } from '../../support/console/open-console.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, JOURNEY)
const { issuer } = service.app.identity
const EMAIL = 'keys@example.com'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** By the navigation: reading then begins at the title of the screen. */
async function goByKeyboard(page: Page, name: string, title = name): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Console' })
  await tabTo(page, navigation.getByRole('link', { name, exact: true }))
  await page.keyboard.press('Enter')
  await waitForFocus(page, page.getByRole('heading', { level: 1, name: title, exact: true }))
}

testInBrowser('the keyboard alone makes, pays for, limits and revokes', {}, async (page) => {
  await signInTo(service, page, EMAIL)
  await openScreen(service, page, '/console', 'Home')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await tabTo(page, skip)
  await page.keyboard.press('Enter')
  await waitForFocus(page, page.getByRole('main'))
  const key = await createKey(page)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  await topUp(page)
  await setCeiling(page, key)
  await revokeKey(page, key)
})

async function createKey(page: Page): Promise<string> {
  await goByKeyboard(page, 'Keys', 'API keys')
  const { keyboard } = page
  const create = button(page, 'Create key')
  await tabTo(page, create)
  await keyboard.press('Enter')
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await waitForFocus(page, name)
  await keyboard.press('Escape')
  await waitForFocus(page, create)
  await keyboard.press('Space')
  await waitForFocus(page, name)
  await keyboard.type('by hand')
  await keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'Your new key “by hand”' })
  const stored = created.getByRole('checkbox', { name: 'I stored the key' })
  await tabTo(page, stored)
  // It cannot be lost by a key pressed too often.
  await keyboard.press('Escape')
  await keyboard.press('Escape')
  const key = await created.getByRole('region', { name: 'API key' }).innerText()
  assert.equal(await created.isVisible(), true)
  await tabTo(page, stored)
  await keyboard.press('Space')
  await tabTo(page, created.getByRole('button', { name: 'Done' }))
  await keyboard.press('Enter')
  await page.getByRole('status').getByText('Key “by hand” is ready.').waitFor()
  await waitForFocus(page, create)
  return key
}

async function topUp(page: Page): Promise<void> {
  await goByKeyboard(page, 'Balance')
  const { keyboard } = page
  await tabTo(page, button(page, 'Top up €20.00'))
  await keyboard.press('Enter')
  await page.waitForURL('**/sandbox/checkout/*')
  await tabTo(page, button(page, 'Pay'))
  await keyboard.press('Enter')
  await tabTo(page, page.getByRole('link', { name: 'Go back to the service' }))
  await keyboard.press('Enter')
  await page.waitForURL(`${issuer}/console/balance?topup=*`)
  await page.getByRole('status').getByText('€20.00 was paid in.').waitFor()
  await tabTo(page, button(page, 'All right'))
  await keyboard.press('Enter')
  await page.waitForURL(`${issuer}/console/balance`)
  const { balance_eur: balance } = await readAccount(service, EMAIL)
  await waitForBalance(page, balance)
  // What was pressed is gone: reading goes on at the screen, not at the top of the page.
  await assertFocusKept(page)
}

async function setCeiling(page: Page, key: string): Promise<void> {
  await goByKeyboard(page, 'Limits')
  const { keyboard } = page
  const field = page.getByRole('textbox', { name: 'Daily ceiling in euros' })
  await tabTo(page, field)
  await keyboard.type('0,00')
  await keyboard.press('Enter')
  await page.getByText('The daily ceiling is €0.00.').waitFor()
  assert.equal(await hasFocus(page, field), true)
  assert.equal((await chat(service, key, 'air', hello)).status, 429)
  const remove = button(page, 'Remove ceiling')
  await tabTo(page, remove)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove the daily ceiling?' })
  // What takes a guard away is not what Enter does first.
  await waitForFocus(page, dialog.getByRole('button', { name: 'Cancel' }))
  await keyboard.press('Enter')
  await waitForFocus(page, remove)
  await keyboard.press('Enter')
  await tabTo(page, dialog.getByRole('button', { name: 'Remove ceiling' }), 'Shift+Tab')
  await keyboard.press('Enter')
  await page.getByText('There is no daily ceiling any more.').waitFor()
  await assertFocusKept(page)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
}

async function revokeKey(page: Page, key: string): Promise<void> {
  await goByKeyboard(page, 'Keys', 'API keys')
  const { keyboard } = page
  const revoke = button(page, 'Revoke by hand')
  await tabTo(page, revoke)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Revoke “by hand”' })
  const name = dialog.getByRole('textbox', { name: 'Type by hand to go on' })
  await waitForFocus(page, name)
  await keyboard.press('Enter')
  assert.equal((await chat(service, key, 'air', hello)).status, 200, 'nothing is revoked unnamed')
  await keyboard.press('Escape')
  await waitForFocus(page, revoke)
  await keyboard.press('Enter')
  await waitForFocus(page, name)
  await keyboard.type('by hand')
  await keyboard.press('Enter')
  await page.getByRole('status').getByText('Key “by hand” is revoked.').waitFor()
  await assertFocusKept(page)
  assert.equal((await chat(service, key, 'air', hello)).status, 401)
  await goByKeyboard(page, 'Home')
  const { balance_eur: balance } = await readAccount(service, EMAIL)
  await waitForFact(page, 'Balance', `€${balance}`)
}
