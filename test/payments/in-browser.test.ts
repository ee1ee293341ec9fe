import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { makePerson, PASSWORD, post } from '../support/browser/people.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { operate } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const SELLER = {
  name: 'Example of a Seller with a Name that is Long, Lda',
  address: 'Rua do Exemplo 1\n1000-001 Lisboa',
  vatId: 'PT500000000',
  vatRate: 23,
}
const service = await serveFor(
  { after },
  { identity: 'localhost', trustedProxies: ['127.0.0.1'], seller: SELLER },
)
const { issuer } = service.app.identity

const factOf = (page: Page, name: string) =>
  page.locator('.facts > div', { hasText: name }).first().locator('dd').first().innerText()

async function signIn(page: Page, email: string): Promise<void> {
  await makePerson(service, page.context(), email)
  await page.goto(`${issuer}/sign-in`)
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await page.locator('main form [type=submit]').first().click()
  await page.waitForURL('**/console')
  await page.goto(`${issuer}/account`)
}

testInBrowser('sign in, top up 20 €, pay, and read the receipt', {}, async (page) => {
  await signIn(page, 'ana@example.com')
  assert.equal(await factOf(page, 'Tier'), '1')
  await page.getByRole('button', { name: '€20', exact: true }).click()
  await page.waitForURL('**/sandbox/checkout/*')
  assert.match(await page.title(), /test money/)
  assert.equal(await page.getByText('Test money', { exact: true }).isVisible(), true)
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('The payment succeeded.').waitFor()
  await page.getByRole('link', { name: 'Go back to the service' }).click()
  await page.waitForURL('**/account?topup=*')
  await page.getByText('€20 was paid in').waitFor()
  assert.deepEqual([await factOf(page, 'Balance'), await factOf(page, 'Tier')], ['€21.00', '2'])
  await page.getByRole('link', { name: /^Receipt R-/ }).click()
  await page.getByRole('heading', { name: 'Receipt' }).waitFor()
  assert.deepEqual(await page.locator('.figures td').allInnerTexts(), ['€16.26', '€3.74', '€20.00'])
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), true)
})

/** How many pages of A4 come out of the printer. */
async function countPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
}

testInBrowser('a paper is one page, without what is only for the screen', {}, async (page) => {
  await signIn(page, 'bia@example.com')
  await page.getByRole('button', { name: '€50', exact: true }).click()
  for (const name of ['Pay', 'Give half of it back']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('[role=status]').waitFor()
  }
  await page.goto(`${issuer}/account`)
  const papers = await page
    .locator('a[href^="/documents/"]')
    .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))
  assert.equal(papers.length, 2)
  for (const path of papers) {
    await page.goto(issuer + path)
    assert.equal(await countPages(page), 1)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const isShown = (selector: string) => page.locator(selector).isVisible()
    assert.deepEqual(await Promise.all(['.sheet', '.top', '.bottom', '.tools'].map(isShown)), [
      true,
      false,
      false,
      false,
    ])
    const ink = await page.evaluate("getComputedStyle(document.querySelector('.sheet')).color")
    assert.equal(ink, 'rgb(0, 0, 0)', 'black on white, whatever the screen is')
    await page.emulateMedia({ media: null })
  }
})

testInBrowser('everybody can use what is about money', {}, async (page) => {
  for (const lang of ['en', 'pt'] as const) {
    const email = `carla.${lang}@example.com`
    await page.context().clearCookies()
    await makePerson(service, page.context(), email, 'C'.repeat(90))
    await post(page.context(), issuer, '/api/auth/sign-in/email', { email, password: PASSWORD })
    await page.goto(`${issuer}/account?lang=${lang}`)
    await assertAccessible(page, `a balance, ${lang}`)
    await page.locator('[name=amount_eur]').first().click()
    await page.waitForURL('**/sandbox/checkout/*')
    await assertAccessible(page, `a checkout, ${lang}`)
    for (const act of ['decline', 'pay', 'refund_half', 'dispute', 'dispute_lost'] as const) {
      await page.locator(`[name=act][value=${act}]`).click()
      await page.waitForURL(`**?notice=${act}`)
      await assertAccessible(page, `a checkout after ${act}, ${lang}`)
    }
    await operate(service, 'POST', '/accounts', { email })
    await page.goto(`${issuer}/account`)
    await assertAccessible(page, `two balances, one suspended, ${lang}`)
    for (const path of await page
      .locator('a[href^="/documents/"]')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))))) {
      await page.goto(issuer + path)
      await assertAccessible(page, `${path}, ${lang}`)
    }
    await page.goto(`${issuer}/sandbox/checkout/nothing`)
    await assertAccessible(page, `no checkout, ${lang}`)
  }
})
