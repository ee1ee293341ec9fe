import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { chat, operate } from '../support/call.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { findAccountId, refuseCalls } from '../support/console/own-account.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const DESK = { width: 1_280, height: 800 }
const SHORT = { messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 50 }

async function openKeys(page: Page, email: string): Promise<string> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/keys', 'API keys')
  return findAccountId(service, email)
}

const makeKey = async (accountId: string, name: string) =>
  (await operate(service, 'POST', `/accounts/${accountId}/keys`, { name })).json

const statusOf = async (key: string) => (await chat(service, key, 'air', SHORT)).status
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

/** The whole key, while its dialog shows it. */
const shownKey = (page: Page) =>
  page.getByRole('dialog').getByRole('region', { name: 'API key' }).innerText()

async function store(page: Page): Promise<void> {
  await page.getByLabel('I stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
}

testInBrowser('a key is made by keyboard, shown once, and works', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await openKeys(page, 'maker@example.com')
  await page.getByText('No key yet').waitFor()
  await assertAccessible(page, 'keys, empty')
  await page.setViewportSize(DESK)
  const create = page.getByRole('button', { name: 'Create key' })
  await create.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByText('Give the key a name of 1 to 100 characters.').waitFor()
  await page.keyboard.type('production')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Your new key “production”' })
  await dialog.waitFor()
  const key = await shownKey(page)
  assert.match(key, /^svc_live_\w{43}$/)
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
  await dialog.getByText(`PARLEY_API_KEY=${key}`).waitFor()
  await dialog.getByText('First command with it').click()
  await dialog.getByText('curl http://parley.test/v1/chat/air').waitFor()
  await assertAccessible(page, 'keys, shown')
  await page.setViewportSize(DESK)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  assert.ok(await dialog.getByRole('button', { name: 'Done' }).isDisabled())
  await store(page)
  await page.getByText('Key “production” is ready.').waitFor()
  const focused = await page.evaluate('document.activeElement.textContent')
  assert.equal(focused, 'Create key')
  assert.ok(!(await page.content()).includes(key))
  assert.equal(await statusOf(key), 200)
  await row(page, 'production').getByRole('cell', { name: '21 Nov 2026' }).nth(1).waitFor()
  assert.deepEqual(foreign, [])
})

testInBrowser('a key is revoked by its name, and refused from then on', {}, async (page) => {
  const accountId = await openKeys(page, 'revoker@example.com')
  const { key } = await makeKey(accountId, 'Ana’s laptop')
  assert.equal(await statusOf(key), 200)
  // Made elsewhere, it shows without a reload.
  await page.getByRole('button', { name: 'Revoke Ana’s laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke “Ana’s laptop”' })
  const revoke = dialog.getByRole('button', { name: 'Revoke' })
  assert.ok(await revoke.isDisabled())
  await dialog.getByLabel('Type Ana’s laptop to go on').fill('Ana')
  assert.ok(await revoke.isDisabled())
  await dialog.getByLabel('Type Ana’s laptop to go on').fill('Ana’s laptop ')
  await assertAccessible(page, 'keys, revoke')
  await page.setViewportSize(DESK)
  const letThrough = await refuseCalls(page, '**/keys/*')
  await revoke.click()
  await dialog.getByText('req_of_the_test').waitFor()
  await letThrough()
  await dialog.getByLabel('Type Ana’s laptop to go on').press('Enter')
  await page.getByText('Key “Ana’s laptop” is revoked.').waitFor()
  assert.equal(await statusOf(key), 401)
  const isLost = await page.evaluate('document.activeElement === document.body')
  assert.equal(isLost, false)
  await page.getByText('No key yet').waitFor()
  await page.getByText('Revoked and expired (1)').click()
  await row(page, 'Ana’s laptop').getByText('Revoked 21 Nov 2026').waitFor()
  await assertAccessible(page, 'keys, ended')
})

testInBrowser('a key is rolled: both work for as long as was chosen', {}, async (page) => {
  const accountId = await openKeys(page, 'roller@example.com')
  const { key: old } = await makeKey(accountId, 'worker')
  await page.getByRole('button', { name: 'Roll worker' }).click()
  await page.getByText('In an hour', { exact: true }).click()
  await assertAccessible(page, 'keys, roll')
  await page.setViewportSize(DESK)
  await page.getByRole('dialog').getByRole('button', { name: 'Roll' }).click()
  const next = await shownKey(page)
  await store(page)
  await page.getByText('Key “worker” is rolled').waitFor()
  assert.deepEqual([await statusOf(old), await statusOf(next)], [200, 200])
  await page.getByRole('cell', { name: '21 Nov 2026, 13:00' }).waitFor()
  service.clock.advance(3_600_000)
  assert.deepEqual([await statusOf(old), await statusOf(next)], [401, 200])
})

testInBrowser(
  'a key gets an end and a ceiling of its own, which hold at once',
  {},
  async (page) => {
    const accountId = await openKeys(page, 'limiter@example.com')
    const { key } = await makeKey(accountId, 'batch')
    await page.getByRole('button', { name: 'Change batch' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change “batch”' })
    await dialog.getByLabel('Daily ceiling in euros').fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Write an amount such as 5.00').waitFor()
    await dialog.getByLabel('Daily ceiling in euros').fill('0,000001')
    await dialog.getByLabel('Ends').selectOption('At the end of a day…')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Choose a day that is not over.').waitFor()
    await dialog.getByLabel('Last day (UTC)').fill('2026-12-24')
    await assertAccessible(page, 'keys, change')
    await page.setViewportSize(DESK)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Key “batch” is changed').waitFor()
    await row(page, 'batch').getByText('€0.00 of €0.000001').waitFor()
    await row(page, 'batch').getByText('25 Dec 2026, 00:00').waitFor()
    assert.equal(await statusOf(key), 429)
  },
)

testInBrowser(
  '200 keys with long names fit, and who has no more sees no more',
  {},
  async (page) => {
    const accountId = await openKeys(page, 'many@example.com')
    const names = Array.from({ length: 201 }, (_key, index) => `${index} `.padEnd(100, 'W'))
    for (const name of names) await makeKey(accountId, name)
    await page.reload()
    const rows = page.getByRole('table', { name: 'Keys that can be called with' }).getByRole('row')
    await rows.nth(200).waitFor()
    assert.equal(await rows.count(), 201)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(201).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  },
)

testInBrowser('the Playground’s key is explained, and can be revoked alone', {}, async (page) => {
  const accountId = await openKeys(page, 'player@example.com')
  const { issuer } = service.app.identity
  const url = `${issuer}/console/api/accounts/${accountId}/chat/air`
  const headers = { origin: issuer }
  const played = await page.context().request.post(url, { data: SHORT, headers })
  assert.equal(played.status(), 200)
  await page.getByText('The Playground calls with a key of its own').waitFor()
  await page.getByRole('button', { name: 'Revoke Playground' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Roll Playground' }).count(), 0)
})

testInBrowser(
  'the keys in Portuguese; while they load, and where they fail',
  { locale: 'pt-PT' },
  async (page) => {
    await signInTo(service, page, 'lenta@example.com')
    const letThrough = await refuseCalls(page, '**/keys?*')
    await openScreen(service, page, '/console/keys', 'Chaves de API')
    await page.getByRole('alert').getByText('req_of_the_test').waitFor()
    await letThrough()
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/keys?*', async (route) => {
      await held
      await route.fallback()
    })
    await page.reload()
    await page.getByRole('main').getByText('A carregar…').waitFor({ state: 'attached' })
    letGo()
    await page.getByText('Ainda não há chaves').waitFor()
    await assertAccessible(page, 'chaves')
    await page.setViewportSize(DESK)
    await page.getByRole('button', { name: 'Criar chave' }).click()
    await page.getByRole('dialog', { name: 'Criar uma chave' }).waitFor()
    await assertAccessible(page, 'chaves, criar')
  },
)
