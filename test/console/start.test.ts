import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { BASE_URL } from '../support/app-options.ts'
import { chat, operate } from '../support/call.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { findAccountId, refuseCalls } from '../support/console/own-account.ts'
import { serveFor } from '../support/service.ts'
import { makeTemporaryDirectory } from '../support/temporary-directory.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const DESK = { width: 1_280, height: 800 }
const SHORT = { messages: [{ role: 'user', content: 'Hello!' }], max_tokens: 50 }
const run = promisify(execFile)

/** What is shown, at the address where the service of the test really is. */
async function readCommand(page: Page, name: string): Promise<string> {
  const shown = await page.getByRole('region', { name, exact: true }).innerText()
  assert.ok(shown.includes(BASE_URL))
  return shown.replaceAll(BASE_URL, `${service.origin}/v1`)
}

const file = (t: TestContext, name: string, text: string): string => {
  const path = join(makeTemporaryDirectory(t), name)
  writeFileSync(path, text)
  return path
}

const arrived = (page: Page) => page.getByText('Your call has arrived').waitFor()

testInBrowser('from nothing to a first call that is seen to arrive', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await signInTo(service, page, 'first@example.com')
  await openScreen(service, page, '/console/start', 'First call')
  await page.getByText('Waiting for your call…').waitFor()
  assert.match(await readCommand(page, 'curl'), /Bearer \$PARLEY_API_KEY/)
  await assertAccessible(page, 'first call, before')
  await page.setViewportSize(DESK)
  await page.getByLabel('Name of the key').press('Enter')
  const key = await page.getByRole('region', { name: 'API key' }).innerText()
  const command = await readCommand(page, 'curl')
  assert.ok(command.includes(key))
  const { stdout } = await run('sh', ['-c', command])
  assert.equal(typeof JSON.parse(stdout).choices[0].message.content, 'string', stdout)
  await arrived(page)
  const receipts = await operate(
    service,
    'GET',
    `/accounts/${await findAccountId(service, 'first@example.com')}/receipts`,
  )
  await page.getByText(receipts.json.data[0].request_id).waitFor()
  await page.getByText('svc-air-v1').waitFor()
  await assertAccessible(page, 'first call, after')
  await page.setViewportSize(DESK)
  await page.getByRole('button', { name: 'I stored it' }).click()
  await page.getByText('is ready, and no longer shown.').waitFor()
  assert.ok(!(await page.content()).includes(key))
  assert.equal(await page.evaluate('document.activeElement === document.body'), false)
  await page.getByRole('main').getByRole('link', { name: 'All keys' }).click()
  await page.getByRole('row', { name: /First key/ }).waitFor()
  assert.deepEqual(foreign, [])
})

testInBrowser(
  'TypeScript and Python run as they stand, with the key in them or not',
  {},
  async (page, t) => {
    await signInTo(service, page, 'programs@example.com')
    await openScreen(service, page, '/console/start', 'First call')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('region', { name: 'API key' }).innerText()
    const runs = async (env: NodeJS.ProcessEnv) => {
      await page.getByText('TypeScript', { exact: true }).click()
      const typescript = file(t, 'first-call.mts', await readCommand(page, 'TypeScript'))
      const said = await run(process.execPath, [typescript], { env })
      await page.getByText('Python', { exact: true }).click()
      const python = file(t, 'first_call.py', await readCommand(page, 'Python'))
      const pythonSaid = await run('python3', [python], { env })
      return [said.stdout, pythonSaid.stdout]
    }
    const { PATH } = process.env
    const withKey = await runs({ PATH })
    await arrived(page)
    await page.getByRole('button', { name: 'I stored it' }).click()
    const fromEnvironment = await runs({ PATH, PARLEY_API_KEY: key })
    assert.deepEqual(fromEnvironment, withKey)
    for (const text of withKey) assert.match(text, /\w+/)
    // What is refused is told in the service's own words.
    for (const text of await runs({ PATH, PARLEY_API_KEY: 'svc_live_wrong' })) {
      assert.match(text, /invalid_api_key/)
    }
  },
)

testInBrowser(
  'who has called before sees the last call, and the next one',
  { locale: 'pt-PT' },
  async (page) => {
    const email = 'again@example.com'
    await signInTo(service, page, email)
    const accountId = await findAccountId(service, email)
    const { json } = await operate(service, 'POST', `/accounts/${accountId}/keys`, {
      name: 'w'.repeat(100),
    })
    await chat(service, json.key, 'air', SHORT)
    await openScreen(service, page, '/console/start', 'Primeira chamada')
    await page.getByText('A sua última chamada').waitFor()
    await page.getByText('Já tem chaves (1).').waitFor()
    await page.getByText('svc-air-v1').waitFor()
    await assertAccessible(page, 'primeira chamada')
    await chat(service, json.key, 'nova', SHORT)
    await page.getByText('A sua chamada chegou').waitFor()
    await page.getByText('svc-nova-v1').waitFor()
  },
)

testInBrowser('what is in the way of a call is told before it is tried', {}, async (page) => {
  const email = 'refused@example.com'
  await signInTo(service, page, email)
  const accountId = await findAccountId(service, email)
  await operate(service, 'PATCH', `/accounts/${accountId}`, { daily_ceiling_eur: '0.00' })
  await openScreen(service, page, '/console/start', 'First call')
  await page.getByText('A call would be refused now.').waitFor()
  await page.getByText('Nothing arrives?').click()
  await page.getByText('401 invalid_api_key').waitFor()
  await assertAccessible(page, 'first call, refused')
})

testInBrowser(
  'where making a key or reading how it stands fails, one can go on',
  {},
  async (page) => {
    await signInTo(service, page, 'unlucky@example.com')
    await page.route('**/events', (route) => route.abort())
    const letThrough = await refuseCalls(page, '**/standing')
    await openScreen(service, page, '/console/start', 'First call')
    await page.getByRole('alert').getByText('req_of_the_test').waitFor()
    await letThrough()
    await page.getByRole('button', { name: 'Try again' }).click()
    const name = page.getByLabel('Name of the key')
    await name.fill(' ')
    await name.press('Enter')
    await page.getByText('Give the key a name of 1 to 100 characters.').waitFor()
    await name.fill('mine')
    const letKeysThrough = await refuseCalls(page, '**/keys')
    await name.press('Enter')
    await page.getByRole('alert').getByText('Not now.').waitFor()
    await letKeysThrough()
    await name.press('Enter')
    await page.getByRole('region', { name: 'API key' }).waitFor()
  },
)

testInBrowser(
  'while it loads there is a skeleton; without a model it says so',
  {},
  async (page) => {
    await signInTo(service, page, 'waiting@example.com')
    await page.route('**/console/api/models', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { data: object[] }
      await route.fulfill({
        response,
        json: { data: data.map((one) => ({ ...one, enabled: false })) },
      })
    })
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route(/\/(standing|events)$/, async (route) => {
      await held
      await route.fallback()
    })
    await openScreen(service, page, '/console/start', 'First call')
    await page.getByRole('main').getByText('Loading…').waitFor({ state: 'attached' })
    letGo()
    await page.getByText('All models are switched off at the moment.').waitFor()
  },
)
