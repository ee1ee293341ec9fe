import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { chat, hello, openAccount } from '../../support/call.ts'
import { openScreen } from '../../support/console/open-console.ts'
import { signInOperator } from '../../support/console/sign-in-operator.ts'
import { serveWithUpstream } from '../../support/service.ts'

const { service, upstream } = await serveWithUpstream(
  { after },
  {},
  {
    identity: 'localhost',
    trustedProxies: ['127.0.0.1'],
    circuit: { failures: 2, windowMs: 60_000, coolDownMs: 60_000 },
  },
)
const { key } = await openAccount(service, { min_tier: 3 })

const rowOf = (page: Page, brand: string) =>
  page.getByRole('region', { name: `Upstreams of ${brand}` }).locator('tbody tr')

testInBrowser(
  'a brand is switched off and on; its calls are refused meanwhile',
  {},
  async (page) => {
    await signInOperator(service, page, 'switcher@example.com')
    await openScreen(service, page, '/console/operator/models', 'Models')
    await page.getByRole('button', { name: 'Switch off nova' }).click()
    const dialog = page.getByRole('dialog', { name: 'Switch nova off?' })
    await dialog.getByText('503 model_unavailable').waitFor()
    await dialog.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('nova is off.').waitFor()
    const { status, json } = await chat(service, key, 'nova', hello)
    assert.deepEqual([status, json.error.code], [503, 'model_unavailable'])
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
    await page.getByRole('button', { name: 'Switch on nova' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('nova is on.').waitFor()
    assert.equal((await chat(service, key, 'nova', hello)).status, 200)
  },
)

testInBrowser(
  'a failing upstream is seen to fail without loading the page again',
  {},
  async (page) => {
    await signInOperator(service, page, 'watcher@example.com')
    await page.clock.install()
    await openScreen(service, page, '/console/operator/models', 'Models')
    const row = rowOf(page, 'prime')
    await row.getByText('Closed').waitFor()
    await row.getByText('None yet').waitFor()
    upstream.play({ fault: { kind: 'status', status: 500 } })
    for (let call = 0; call < 2; call += 1) await chat(service, key, 'prime', hello)
    await page.clock.runFor(5_000)
    await row.getByText('Open', { exact: true }).waitFor()
    await row.getByText('Overloaded (429 or 5xx)').waitFor()
    assert.equal(await row.locator('td').nth(3).innerText(), '2')

    // What cannot be read anew is said, and what was there stays.
    await page.route('**/operator/v1/models', (route) => route.abort())
    await page.clock.runFor(20_000)
    await page.getByText('The service cannot be reached').waitFor()
    await row.getByText('Open', { exact: true }).waitFor()
  },
)
