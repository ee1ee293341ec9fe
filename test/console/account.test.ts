import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { PASSWORD, post, readMailedToken } from '../support/browser/people.ts'
import { operate } from '../support/call.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { readDownload } from '../support/console/read-download.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { trySignIn } from '../support/identity/people.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

/** Sessions begin by the clock of the system. */
before(() => service.clock.set(Date.now()))

async function open(page: Page, email: string): Promise<void> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/account', 'Account & security')
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

testInBrowser('a person renames themselves, by keyboard alone', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await open(page, 'ana@example.com')
  await page.getByText('Ana Lima').waitFor()
  await button(page, 'Change the name').focus()
  await page.keyboard.press('Enter')
  const name = page.getByRole('dialog', { name: 'Change the name' }).getByLabel('Name')
  await page.locator('dialog input:focus').waitFor()
  await name.fill(' ')
  await page.keyboard.press('Enter')
  await page.getByText('Use 1 to 100 characters.').waitFor()
  await page.locator('dialog input:focus').waitFor()
  await name.fill('W'.repeat(100))
  await page.keyboard.press('Enter')
  await told(page, 'Your name is changed.')
  const focused = 'document.activeElement.getAttribute("aria-label")'
  assert.equal(await page.evaluate(focused), 'Change the name')
  await page.getByText('W'.repeat(100)).waitFor()
  await assertAccessible(page, 'account, with a long name')
  assert.deepEqual(foreign, [])
})

testInBrowser(
  'an address is changed by a link to the old one and one to the new',
  {},
  async (page) => {
    await open(page, 'old@example.com')
    const first = await readMailedToken(service, 'old@example.com')
    await button(page, 'Change the e-mail address').click()
    const field = page.getByLabel('New e-mail address')
    await field.fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('Enter an e-mail address such as').waitFor()
    await field.fill('old@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('This is your address already.').waitFor()
    await field.fill('new@example.com')
    await page.keyboard.press('Enter')
    await told(page, 'We have sent a link to old@example.com.')
    const allow = await readMailedToken(service, 'old@example.com', first)
    await page.goto(`${issuer}/change-email?token=${allow}`)
    await page.getByRole('button', { name: 'Allow the change' }).click()
    const use = await readMailedToken(service, 'new@example.com')
    await page.goto(`${issuer}/change-email?token=${use}`)
    await page.getByRole('button', { name: 'Use the new address' }).click()
    await page.waitForURL((url) => url.pathname !== '/change-email')
    await openScreen(service, page, '/console/account', 'Account & security')
    await page.getByRole('listitem').getByText('new@example.com').waitFor()
  },
)

testInBrowser('a new password needs the old one, and ends all other sessions', {}, async (page) => {
  await open(page, 'rui@example.com')
  await signInElsewhere(page, 'rui@example.com')
  await button(page, 'Change password').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('not the password')
  await dialog.getByLabel('New password').fill('short')
  await page.keyboard.press('Enter')
  await dialog.getByText('Use at least 10 characters.').waitFor()
  await dialog.getByLabel('New password').fill('a new password of theirs')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password is wrong.').waitFor()
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await told(page, 'Your password is changed')
  await button(page, 'Sign out everywhere else').waitFor({ state: 'detached' })
  assert.equal((await trySignIn({ ...service, origin: issuer }, 'rui@example.com')).status, 401)
  const signedIn = await trySignIn(
    { ...service, origin: issuer },
    'rui@example.com',
    'a new password of theirs',
  )
  assert.equal(signedIn.status, 200)
})

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let elsewhere = 0

/** The same person in another browser. */
async function signInElsewhere(
  page: Page,
  email: string,
  userAgent = FIREFOX,
): Promise<BrowserContext> {
  elsewhere += 1
  const headers = { 'x-forwarded-for': `10.9.0.${elsewhere}` }
  const browser = page.context().browser()
  assert.ok(browser)
  const context = await browser.newContext({ userAgent, extraHTTPHeaders: headers })
  await post(context, issuer, '/api/auth/sign-in/email', { email, password: PASSWORD })
  page.once('close', () => void context.close())
  return context
}

testInBrowser('sessions are ended, one or all others', {}, async (page) => {
  await signInTo(service, page, 'eva@example.com')
  const firefox = await signInElsewhere(page, 'eva@example.com')
  for (const agent of ['curl/8.5.0', 'curl/8.6.0']) {
    await signInElsewhere(page, 'eva@example.com', agent)
  }
  await openScreen(service, page, '/console/account', 'Account & security')
  const card = page.locator('section').filter({ hasText: 'Where you are signed in' })
  await card.getByText('This browser').waitFor()
  assert.equal(await card.getByRole('listitem').count(), 4)
  assert.match((await card.getByRole('listitem').first().textContent()) ?? '', /This browser/)
  await assertAccessible(page, 'account, with sessions')
  await button(page, 'End the session: Firefox on Windows').click()
  await told(page, 'The session is ended: Firefox on Windows.')
  assert.equal((await firefox.request.get(`${issuer}/console/api/person`)).status(), 401)
  await button(page, 'Sign out everywhere else').click()
  const dialog = page.getByRole('dialog', { name: 'Sign out everywhere else?' })
  // Enter does not do at once what takes a thought.
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Sign out everywhere else').click()
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await told(page, 'You are signed out everywhere else.')
  assert.equal(await card.getByRole('listitem').count(), 1)
})

testInBrowser('who deletes their account says so twice, and is gone', {}, async (page) => {
  await open(page, 'leo@example.com')
  await button(page, 'Delete the account').click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' })
  await dialog.getByText('your balance of €1.00').waitFor()
  const submit = dialog.getByRole('button', { name: 'Delete for good' })
  await dialog.getByLabel('Password').fill('not the password')
  await dialog.getByLabel('To confirm, type').fill('leo@example')
  assert.equal(await submit.isDisabled(), true)
  await dialog.getByLabel('To confirm, type').fill('leo@example.com')
  await assertAccessible(page, 'account, about to be deleted')
  await submit.click()
  await dialog.getByText('The password is wrong.').waitFor()
  service.clock.advance(11 * 60_000)
  await dialog.getByLabel('Password').fill(PASSWORD)
  await submit.click()
  await dialog.getByText('only shortly after signing in').waitFor()
  const again = dialog.getByRole('link', { name: 'Sign in once more' })
  assert.equal(await again.getAttribute('href'), '/sign-in?again=1&next=%2Fconsole%2Faccount')
  service.clock.set(Date.now())
  await submit.click()
  await page.waitForURL(`${issuer}/sign-in?notice=accountDeleted`)
  await page.getByText('Your account has been deleted.').waitFor()
  assert.equal((await trySignIn({ ...service, origin: issuer }, 'leo@example.com')).status, 401)
})

testInBrowser('a person downloads all that is kept of them', {}, async (page) => {
  await open(page, 'data@example.com')
  await button(page, 'Download my data').click()
  const dialog = page.getByRole('dialog', { name: 'Download my data' })
  await dialog.getByLabel('Password').fill('not the password')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password is wrong.').waitFor()
  await assertAccessible(page, 'account, about to download')
  await dialog.getByLabel('Password').fill(PASSWORD)
  const { name, text } = await readDownload(page, () => page.keyboard.press('Enter'))
  assert.match(name, /^parley-personal-data-\d{4}-\d{2}-\d{2}\.json$/)
  assert.match(text, /"email":"data@example\.com"/)
  await told(page, 'Your data is downloaded.')
  await page.getByRole('link', { name: 'What was done' }).click()
  await page.waitForURL(`${issuer}/console/activity?kind=sign_in`)
  await page.getByLabel('About').selectOption('account')
  await page.getByRole('table').getByText('Downloaded their data').waitFor()
})

testInBrowser(
  'it says that it loads, and why it could not, in Portuguese as well',
  { locale: 'pt-PT' },
  async (page) => {
    await signInTo(service, page, 'ines@example.com')
    let mayAnswer = (): void => undefined
    const answered = new Promise<void>((resolve) => (mayAnswer = resolve))
    await page.route('**/console/api/sessions', async (route) => {
      await answered
      const error = { code: 'internal_error', message: 'Something failed.' }
      await route.fulfill({ status: 500, headers: { 'x-request-id': 'req_1' }, json: { error } })
    })
    await page.route('**/api/auth/passkey/list-user-passkeys', (route) => route.abort())
    await openScreen(service, page, '/console/account', 'Conta e segurança')
    const card = page.locator('section').filter({ hasText: 'Onde tem sessão iniciada' })
    await card.getByText('A carregar…').waitFor({ state: 'attached' })
    mayAnswer()
    await card.getByText('req_1').waitFor()
    const passkeys = page.locator('section').filter({ hasText: 'Chaves de acesso' })
    await passkeys.getByText('Não é possível chegar ao serviço.').waitFor()
    await assertAccessible(page, 'account, pt, failed')
    await page.unrouteAll()
    await card.getByRole('button', { name: 'Tentar de novo' }).click()
    await card.getByText('Este navegador').waitFor()
    await passkeys.getByRole('button', { name: 'Tentar de novo' }).click()
    await passkeys.getByText('Ainda não tem nenhuma').waitFor()
    await assertAccessible(page, 'account, pt')
  },
)

test('the farewell is told in both languages', async () => {
  const address = `${issuer}/sign-in?notice=accountDeleted`
  const pt = await fetch(address, { headers: { 'accept-language': 'pt' } })
  assert.match(await pt.text(), /A sua conta foi eliminada/)
})

testInBrowser(
  'who came by a link and has no password can do without, and set one',
  {},
  async (page) => {
    const email = 'bia@example.com'
    await operate(service, 'POST', '/accounts', { email })
    const { json: people } = await operate(service, 'GET', `/people?email=${email}`)
    const path = `/people/${people.data[0].id}/sign-in-links`
    await page.goto((await operate(service, 'POST', path, {})).json.url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${issuer}/console`)
    await openScreen(service, page, '/console/account', 'Account & security')
    await page.getByText('It asks for your password: set one first.').waitFor()
    assert.equal(await button(page, 'Turn on').count(), 0)
    await assertAccessible(page, 'account, without a password')
    await button(page, 'Send me a link to set one').click()
    await told(page, `A link to set a password is on its way to ${email}.`)
    await readMailedToken(service, email)
    await button(page, 'Delete the account').click()
    await page.getByLabel('To confirm, type').fill(email)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${issuer}/sign-in?notice=accountDeleted`)
  },
)
