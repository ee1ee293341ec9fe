import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { makePerson } from '../../support/browser/people.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { operate } from '../../support/call.ts'
import { openScreen, signInTo } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

const readPerson = async (email: string) =>
  (await operate(service, 'GET', `/people?email=${email}`)).json.data[0]

async function pressInDialog(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

testInBrowser('a person is made an operator, and a customer again', {}, async (page) => {
  await makePerson(service, page.context(), 'rui@example.com', 'Rui')
  await signInOperator(service, page, 'ana@example.com')
  await openScreen(service, page, '/console/operator/people', 'People')
  await page.getByRole('button', { name: 'Make operator (rui@example.com)' }).click()
  await page.getByRole('dialog').getByText('There is no smaller role.').waitFor()
  await page.getByRole('dialog').getByText('one factor only').waitFor()
  await pressInDialog(page, 'Make operator')
  await page.getByText('rui@example.com is an operator now.').waitFor()
  assert.equal((await readPerson('rui@example.com')).role, 'operator')
  const { json } = await operate(service, 'GET', '/audit?limit=1')
  assert.equal(json.data[0].action, 'person.role_changed')
  assert.equal(json.data[0].actor, (await readPerson('ana@example.com')).id)

  await page.getByRole('combobox', { name: 'Role' }).selectOption('operator')
  await page.waitForURL('**/people?role=operator')
  await page.getByText('2 shown. That is all.').waitFor()
  await page.getByRole('button', { name: 'Make customer (rui@example.com)' }).click()
  await pressInDialog(page, 'Make customer')
  await page.getByText('1 shown. That is all.').waitFor()
  assert.equal((await readPerson('rui@example.com')).role, 'customer')
})

testInBrowser('who makes themself a customer loses these screens at once', {}, async (page) => {
  await signInOperator(service, page, 'self@example.com')
  await page.goto(`${issuer}/console/operator/people?email=self@example.com`)
  await page.getByRole('button', { name: 'Make customer (self@example.com)' }).click()
  await page.getByRole('dialog').getByText('This is you').waitFor()
  await pressInDialog(page, 'Make customer')
  await page.getByRole('heading', { level: 1, name: 'For operators' }).waitFor()
})

testInBrowser('what the service refuses stands beside the button', {}, async (page) => {
  await signInOperator(service, page, 'demoted@example.com')
  await page.goto(`${issuer}/console/operator/people?email=demoted@example.com`)
  const button = page.getByRole('button', { name: 'Sign out everywhere (demoted@example.com)' })
  await button.click()
  const { id } = await readPerson('demoted@example.com')
  await operate(service, 'PATCH', `/people/${id}`, { role: 'customer' })
  await pressInDialog(page, 'Sign out everywhere')
  await page.getByRole('dialog').getByText('You may not see this.').waitFor()
  await page.getByRole('dialog').getByText(/req_/).waitFor()
})

testInBrowser(
  'a person is signed out everywhere, from the list and from an account',
  {},
  async (page) => {
    const other = await page.context().browser()?.newContext()
    assert.ok(other)
    const theirs = await other.newPage()
    await signInTo(service, theirs, 'zoe@example.com')
    await signInOperator(service, page, 'ender@example.com')
    await page.goto(`${issuer}/console/operator/people?email=zoe@example.com`)
    await page.getByRole('button', { name: 'Sign out everywhere (zoe@example.com)' }).click()
    await pressInDialog(page, 'Sign out everywhere')
    await page.getByText('zoe@example.com is signed out everywhere.').waitFor()
    await theirs.goto(`${issuer}/console`)
    await theirs.waitForURL('**/sign-in?next=**')
    await other.close()

    await page.getByRole('link', { name: 'zoe@example.com' }).click()
    await page.getByRole('table').getByRole('link', { name: 'zoe@example.com' }).click()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await pressInDialog(page, 'Sign out everywhere')
    await page.getByText('zoe@example.com is signed out everywhere.').waitFor()
  },
)

testInBrowser('a link that signs somebody in is shown once, and works once', {}, async (page) => {
  await operate(service, 'POST', '/accounts', { email: 'new@example.com' })
  await signInOperator(service, page, 'linker@example.com')
  await page.goto(`${issuer}/console/operator/people?email=new@example.com`)
  await page.getByRole('button', { name: 'Sign-in link (new@example.com)' }).click()
  await page.getByRole('combobox', { name: 'Good for' }).selectOption('1 hour')
  await pressInDialog(page, 'Make link')
  const shown = page.getByRole('dialog', { name: 'The link for new@example.com' })
  const url = await shown.getByRole('region', { name: 'Sign-in link' }).innerText()
  await pressInDialog(page, 'I stored it')
  assert.equal((await page.content()).includes(url), false)
  const other = await page.context().browser()?.newContext()
  assert.ok(other)
  const theirs = await other.newPage()
  await theirs.goto(url)
  await theirs.locator('main form [type=submit]').first().click()
  await theirs.goto(`${issuer}/console`)
  await theirs.getByText('new@example.com').first().waitFor({ state: 'attached' })
  await other.close()
})

testInBrowser('a search that nobody fits says so', {}, async (page) => {
  await signInOperator(service, page, 'searcher@example.com')
  await page.goto(`${issuer}/console/operator/people?email=none@example.com`)
  await page.getByText('Nobody fits this search').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('table').waitFor()
  assert.equal(new URL(page.url()).search, '')
})
