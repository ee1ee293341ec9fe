import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, readMailedToken } from '../browser/people.ts'
import { operate } from '../call.ts'
import type { Service } from '../service.ts'

/** What journeys are made at: somewhere to sign in, and test money. */
export const JOURNEY = { identity: 'localhost', trustedProxies: ['127.0.0.1'] } as const

/** Signs up on the pages, as a stranger does whom the console has sent there, and ends in the console. */
export async function signUp(service: Service, page: Page, email: string): Promise<void> {
  const { issuer } = service.app.identity
  await page.goto(issuer)
  await page.waitForURL(`${issuer}/sign-in?next=*`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ana Lima')
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
  await page.goto(`${issuer}/verify-email?token=${await readMailedToken(service, email)}`)
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await page.getByRole('status').getByText('Your address is confirmed').waitFor()
  await signInOnPage(page, email)
  await page.waitForURL(`${issuer}/console`)
}

export async function signInOnPage(page: Page, email: string): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Goes to another screen as its reader does: by the navigation, without a load of the page. */
export async function goTo(page: Page, name: string, title = name): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Console' })
  await navigation.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}

/** Waits until the balance beside every screen is this one. */
export async function waitForBalance(page: Page, euros: string): Promise<void> {
  await page.getByRole('link', { name: `Balance €${euros}`, exact: true }).waitFor()
}

/** Waits until this stands beside a name, among the figures and facts of a screen. */
export async function waitForFact(page: Page, name: string, value: string): Promise<void> {
  const fact = page.getByRole('main').locator('dt').getByText(name, { exact: true })
  await fact.locator('xpath=following-sibling::dd').getByText(value, { exact: true }).waitFor()
}

let others = 0

/** A browser of somebody else, with nothing in it and an address of its own. */
export async function openAnother(page: Page, t: TestContext): Promise<Page> {
  const browser = page.context().browser()
  assert.ok(browser)
  others += 1
  const extraHTTPHeaders = { 'x-forwarded-for': `10.1.0.${others}` }
  const context = await browser.newContext({ locale: 'en-GB', extraHTTPHeaders })
  t.after(() => context.close())
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

/** How often the page has been loaded from now on, by itself or by anybody. */
export function countLoads(page: Page): () => number {
  let loads = 0
  page.on('load', () => (loads += 1))
  return () => loads
}

/** The account that somebody has by signing up, as the operator's API tells it. */
export async function readAccount(service: Service, email: string) {
  const { json } = await operate(service, 'GET', `/accounts?email=${encodeURIComponent(email)}`)
  const account = json.data.find((one) => one.email === email)
  assert.ok(account)
  return account
}

/** Newest first. */
export async function readReceipts(service: Service, accountId: string) {
  return (await operate(service, 'GET', `/accounts/${accountId}/receipts`)).json.data
}

/** Turns a tab away from its reader, or back to them: here all tabs are in sight at once. */
export async function setInSight(page: Page, isInSight: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: '${isInSight ? 'visible' : 'hidden'}',
    })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)
}
