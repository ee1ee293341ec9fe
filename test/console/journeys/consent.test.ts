import assert from 'node:assert/strict'
import { after } from 'node:test'
import { makePerson } from '../../support/browser/people.ts'
import { startApp } from '../../support/browser/start-app.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { goTo, JOURNEY, signInOnPage } from '../../support/console/journey.ts'
import { assertFocusKept } from '../../support/console/keyboard.ts'
import { askUserInfo } from '../../support/identity/ask-userinfo.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, JOURNEY)
const { issuer } = service.app.identity
const app = await startApp({ after }, service)
const EMAIL = 'rui@example.com'

testInBrowser('what an app was allowed is seen, and taken back at once', {}, async (page) => {
  await makePerson(service, page.context(), EMAIL, 'Rui Melo')
  await page.goto(app.startUrl())
  await signInOnPage(page, EMAIL)
  await page.getByRole('heading', { name: `${app.name} wants to know who you are` }).waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Hello, Rui Melo ("FREE")' }).waitFor()
  const [token] = app.tokens
  assert.ok(token)
  const known = await askUserInfo(service, token)
  assert.deepEqual([known.status, known.claims['email']], [200, EMAIL])

  // Who signed in for the app is signed in to the console too.
  await page.goto(`${issuer}/console`)
  await goTo(page, 'Connected apps')
  await page.getByRole('heading', { level: 2, name: app.name }).waitFor()
  await page.getByText('Your e-mail address').waitFor()
  await page.getByRole('button', { name: `Revoke access of ${app.name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Revoke access of ${app.name}?` })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await askUserInfo(service, token)).status, 200, 'thinking it over changes nothing')

  await page.getByRole('button', { name: `Revoke access of ${app.name}` }).click()
  await dialog.getByRole('button', { name: 'Revoke access' }).click()
  await page.getByRole('status').getByText(`${app.name} has no access any more.`).waitFor()
  const refused = await askUserInfo(service, token)
  assert.equal(refused.status, 401)
  assert.match(refused.challenge ?? '', /error="invalid_token"/)
  await page.getByText('No app is connected').waitFor()
  await assertFocusKept(page)

  // To know them again it has to ask them again.
  await page.goto(app.startUrl())
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'Refused: access_denied' }).waitFor()
  assert.equal(app.tokens.length, 1)
})
