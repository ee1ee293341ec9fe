import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { CONSOLE_SCREENS } from '#api/contract/index.ts'
import { assertAccessible, SCHEMES } from '../../support/browser/assert-accessible.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, credit, hello, openAccount, operate } from '../../support/call.ts'
import { openScreen, signInTo, watchForeignRequests } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

const NAME = 'Uma pessoa com um nome muito comprido que não cabe em lado nenhum '
  .repeat(2)
  .slice(0, 100)
const WORD = 'n'.repeat(100)

/** Something of everything, as long as it may be. */
async function fillStore(): Promise<string> {
  const email = `${'a'.repeat(60)}@${'long-label-'.repeat(5)}x.example.com`
  await operate(service, 'POST', '/accounts', { email, name: NAME })
  const { accountId, key } = await openAccount(service, { suspended: false })
  const path = `/accounts/${accountId}`
  await credit(service, accountId, 'deposit', '1234567.123456789')
  await operate(service, 'POST', `${path}/keys`, { name: WORD })
  const body = { kind: 'grant', amount_eur: '0.000000001', reference: 'r'.repeat(200) }
  await operate(service, 'POST', `${path}/credits`, body)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const { json } = await operate(service, 'POST', `${path}/topups`, { amount_eur: '100.00' })
  const sessionId = new URL(json.checkout_url).pathname.split('/').at(-1) ?? ''
  for (const act of ['pay', 'refund_half', 'dispute'] as const) {
    await service.app.payments?.sandbox?.play(sessionId, act)
  }
  await operate(service, 'POST', '/clients', {
    name: WORD,
    kind: 'confidential',
    redirect_uris: [`https://app.example.com/${'x'.repeat(300)}`],
  })
  return accountId
}

const accountId = await fillStore()

const SCREENS = CONSOLE_SCREENS.filter((screen) => screen.startsWith('/console/operator'))
const addressOf = (screen: string) => issuer + screen.replace('$accountId', accountId)

/** The titles, in the order of the contract's screens. */
const TITLES = {
  en: ['Operator', 'Accounts', 'Account', 'People', 'Models', 'Payments', 'Apps', 'Books', 'Audit'],
  pt: [
    'Operador',
    'Contas',
    'Conta',
    'Pessoas',
    'Modelos',
    'Pagamentos',
    'Aplicações',
    'Livros',
    'Auditoria',
  ],
}

async function openLoaded(page: Page, screen: string, title = ''): Promise<void> {
  await page.goto(addressOf(screen))
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  await page.locator('main .animate-pulse').first().waitFor({ state: 'detached' })
}

testInBrowser(
  'who is no operator reads so on each of their screens, and nothing is asked for',
  {},
  async (page) => {
    await signInTo(service, page, 'eva@example.com')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (const screen of SCREENS) {
      await page.goto(addressOf(screen))
      await page.getByRole('heading', { level: 1, name: 'For operators' }).waitFor()
    }
    assert.deepEqual(
      asked.filter((path) => path.startsWith('/operator/')),
      [],
    )
    assert.equal(await page.getByRole('navigation', { name: 'Operator' }).count(), 0)
    await assertAccessible(page, 'for operators')
  },
)

for (const language of ['en', 'pt'] as const) {
  testInBrowser(
    `everybody can use the operator's screens, however long names and figures are, ${language}`,
    {},
    async (page) => {
      const foreign = watchForeignRequests(service, page)
      await signInOperator(service, page, `op.${language}@example.com`)
      await page.goto(`${issuer}/console?lang=${language}`)
      for (const [index, screen] of SCREENS.entries()) {
        await openLoaded(page, screen, TITLES[language][index])
        for (const summary of await page.locator('main summary').all()) await summary.click()
        await assertAccessible(page, `${screen}, ${language}`, SCHEMES[language])
      }
      assert.deepEqual(foreign, [])
    },
  )
}

testInBrowser(
  'a screen keeps its place while it loads, and says what failed, with a way to try again',
  {},
  async (page) => {
    await signInOperator(service, page, 'op.failed@example.com')
    for (const [index, screen] of SCREENS.entries()) {
      let isBroken = true
      const broken = Promise.withResolvers<void>()
      await page.route('**/operator/v1/**', async (route) => {
        await broken.promise
        if (!isBroken) return route.continue()
        await route.fulfill({
          status: 400,
          headers: { 'x-request-id': 'req_of_the_failure' },
          json: { error: { code: 'invalid_request', message: 'Not like this.' } },
        })
      })
      await page.goto(addressOf(screen))
      await page.getByRole('heading', { level: 1, name: TITLES.en[index] ?? '' }).waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'attached' })
      broken.resolve()
      await page.getByText('Not like this.').first().waitFor()
      await page.getByText('req_of_the_failure').first().waitFor()
      if (screen.endsWith('/models')) await assertAccessible(page, 'a failed screen')
      isBroken = false
      const retries = page.getByRole('button', { name: 'Try again' })
      while ((await retries.count()) > 0) {
        // One that goes by itself meanwhile, for a screen asks anew, needs no click.
        await retries
          .first()
          .click({ timeout: 1_000 })
          .catch(() => undefined)
      }
      await page.getByRole('table').first().waitFor()
      await page.unroute('**/operator/v1/**')
    }
  },
)

testInBrowser('the second navigation leads through all of it by keyboard', {}, async (page) => {
  await signInOperator(service, page, 'op.keyboard@example.com')
  await openScreen(service, page, '/console/operator', 'Operator')
  await page.setViewportSize({ width: 1_280, height: 800 })
  const links = page.getByRole('navigation', { name: 'Operator' }).getByRole('link')
  assert.deepEqual(await links.allInnerTexts(), [
    'Overview',
    'Accounts',
    'People',
    'Models',
    'Payments',
    'Apps',
    'Books',
    'Audit',
  ])
  await links.first().focus()
  for (const name of ['Accounts', 'People']) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), name)
    await links.filter({ hasText: name }).focus()
  }
  const current = page.locator('nav[aria-label=Operator] [aria-current=page]')
  assert.deepEqual(await current.allInnerTexts(), ['People'])
})
