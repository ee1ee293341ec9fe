import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { makePerson, PASSWORD, readMailedToken } from '../../support/browser/people.ts'
import { startApp } from '../../support/browser/start-app.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const app = await startApp({ after }, service)

const submit = (page: Page): Promise<void> => page.locator('.main-action').click()

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value)
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await fill(page, { email, password })
  await submit(page)
}

async function assertBackAtApp(page: Page, text: string): Promise<void> {
  await page.waitForURL(`${app.origin}/callback**`)
  assert.equal(await page.textContent('h1'), text)
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'

  testInBrowser(
    `somebody new signs up on the way to an app, and comes back to it (${how})`,
    { javaScriptEnabled },
    async (page) => {
      const email = javaScriptEnabled ? 'new@example.com' : 'plain@example.com'
      await page.goto(app.startUrl())
      await page.getByRole('link', { name: 'Create an account' }).click()
      await fill(page, { name: 'Ana Lima', email, password: PASSWORD })
      await submit(page)
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
      await page.goto(`${issuer}/verify-email?token=${await readMailedToken(service, email)}`)
      await submit(page)
      await page.getByRole('status').getByText('Your address is confirmed').waitFor()
      await signIn(page, email)
      await page.getByRole('heading', { name: `${app.name} wants to know who you are` }).waitFor()
      await page.getByText('an app on this computer').waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
    },
  )

  testInBrowser(
    `who denies is back at the app, which is told so (${how})`,
    { javaScriptEnabled },
    async (page) => {
      const email = javaScriptEnabled ? 'wary@example.com' : 'wary.plain@example.com'
      await makePerson(service, page.context(), email)
      await page.goto(app.startUrl())
      await signIn(page, email)
      await page.getByRole('button', { name: 'Deny' }).click()
      await assertBackAtApp(page, 'Refused: access_denied')
    },
  )

  testInBrowser(
    `who forgot their password chooses a new one, and goes on to the app (${how})`,
    { javaScriptEnabled },
    async (page) => {
      const email = javaScriptEnabled ? 'forgot@example.com' : 'forgot.plain@example.com'
      await makePerson(service, page.context(), email)
      const before = await readMailedToken(service, email)
      await page.goto(app.startUrl())
      await page.getByRole('link', { name: 'Forgot password?' }).click()
      await fill(page, { email })
      await submit(page)
      await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
      const token = await readMailedToken(service, email, before)
      await page.goto(`${issuer}/reset-password?token=${token}`)
      await fill(page, { password: 'another correct battery' })
      await submit(page)
      await page.getByRole('status').getByText('Your password has been changed').waitFor()
      await signIn(page, email, 'another correct battery')
      await page.getByRole('button', { name: 'Allow' }).click()
      await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
    },
  )
}

testInBrowser('the keyboard alone is enough, and what is wrong has the focus', {}, async (page) => {
  const email = 'keys@example.com'
  await makePerson(service, page.context(), email)
  const { keyboard } = page
  await page.goto(app.startUrl())
  await page.keyboard.press('Tab')
  await keyboard.type(email)
  await keyboard.press('Enter')
  assert.equal(await page.locator(':focus').getAttribute('role'), 'alert')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  assert.equal(await page.locator(':focus').getAttribute('id'), 'password')
  await keyboard.type(PASSWORD)
  await keyboard.press('Tab')
  await keyboard.press('Space')
  assert.equal(await page.locator('#password').getAttribute('type'), 'text')
  assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Hide the password')
  await page.getByRole('status').getByText('The password is shown').waitFor()
  await keyboard.press('Shift+Tab')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  for (const name of ['Not you?', 'Deny', 'Allow']) {
    await keyboard.press('Tab')
    assert.equal(await page.locator(':focus').innerText(), name)
  }
  await keyboard.press('Enter')
  await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
})

testInBrowser('who finds somebody else signed in goes on as themselves', {}, async (page) => {
  await makePerson(service, page.context(), 'one@example.com', 'One')
  await makePerson(service, page.context(), 'two@example.com', 'Two')
  await page.goto(app.startUrl())
  await signIn(page, 'one@example.com')
  await page.getByText('one@example.com').waitFor()
  await page.getByRole('button', { name: 'Not you?' }).click()
  await signIn(page, 'two@example.com')
  await page.getByText('two@example.com').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await assertBackAtApp(page, 'Hello, Two ("FREE")')
})

testInBrowser('an app that wants it confirmed who one is has it confirmed', {}, async (page) => {
  await makePerson(service, page.context(), 'again@example.com')
  await page.goto(app.startUrl())
  await signIn(page, 'again@example.com')
  await page.getByRole('button', { name: 'Allow' }).click()
  await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
  // Moments are whole seconds here: within the same one, the sign-in is new enough.
  do await page.goto(app.startUrl({ prompt: 'login' }))
  while (page.url().startsWith(app.origin))
  await page.getByText('confirm who you are: sign in once more').waitFor()
  assert.equal(await page.inputValue('#email'), 'again@example.com')
  await signIn(page, 'again@example.com')
  // Whether consent is asked once more is the provider's to say.
  const allow = page.getByRole('button', { name: 'Allow' })
  await allow.or(page.getByRole('heading', { name: 'Hello' })).waitFor()
  if (await allow.isVisible()) await allow.click()
  await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
})

testInBrowser('what expired or was begun elsewhere says what to do', {}, async (page) => {
  const response = await page.goto(`${issuer}/interaction/long-gone`)
  assert.equal(response?.status(), 410)
  await page.getByText('Go back to the app and sign in from there once more').waitFor()
})

testInBrowser('an app suggests a language, and its visitor has the last word', {}, async (page) => {
  await makePerson(service, page.context(), 'linguist@example.com')
  await page.goto(app.startUrl({ ui_locales: 'fr pt-PT' }))
  await page.getByRole('heading', { name: 'Iniciar sessão' }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), 'pt-PT')
  await page.getByRole('link', { name: 'Criar conta' }).click()
  assert.equal(await page.getAttribute('html', 'lang'), 'pt-PT')
  await page.goBack()
  await page.getByRole('link', { name: 'English' }).click()
  await signIn(page, 'linguist@example.com')
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await page.getByRole('link', { name: 'Português' }).click()
  await page.getByRole('button', { name: 'Permitir' }).click()
  await assertBackAtApp(page, 'Hello, Ana Lima ("FREE")')
})

testInBrowser(
  'a password can be pasted, and managers know what each field is for',
  {},
  async (page) => {
    const listPurposes = (): Promise<(string | null)[]> =>
      page
        .locator('input:not([type=hidden])')
        .evaluateAll((fields) => fields.map((field) => field.getAttribute('autocomplete')))
    await page.goto(`${issuer}/sign-in`)
    assert.deepEqual(await listPurposes(), ['username webauthn', 'current-password'])
    await page.goto(`${issuer}/sign-up`)
    assert.deepEqual(await listPurposes(), ['name', 'username', 'new-password'])
    await page.goto(`${issuer}/reset-password?token=x`)
    assert.deepEqual(await listPurposes(), ['new-password'])
    await page.goto(`${issuer}/sign-in/code`)
    assert.deepEqual(await listPurposes(), ['one-time-code'])
    await page.goto(`${issuer}/sign-in`)
    await page.locator('#password').focus()
    await page.keyboard.insertText(PASSWORD)
    assert.equal(await page.inputValue('#password'), PASSWORD)
  },
)

testInBrowser(
  'at a bare address passkeys, which there are none of, are not offered',
  {},
  async (page) => {
    const { port } = new URL(issuer)
    await page.goto(`http://127.0.0.1:${port}/sign-in`)
    await page.getByRole('button', { name: 'Show' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
    assert.equal(await page.getByText('That did not work').count(), 0)
  },
)
