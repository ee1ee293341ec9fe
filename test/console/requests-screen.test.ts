import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Locator } from 'playwright-core'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { fillUsage, findAccountId } from '../support/console/fill-usage.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { FAILED_ID, failReplies, holdReplies } from '../support/console/stop-replies.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const REQUESTS = '**/console/api/accounts/*/requests*'

// Where it is tomorrow already, so that local time and UTC are told apart.
const AUCKLAND = { timezoneId: 'Pacific/Auckland' }

/** By locators: the page's policy lets nobody evaluate text in it while it waits. */
async function waitForRows(rows: Locator, count: number): Promise<void> {
  await rows.nth(count).waitFor({ state: 'detached' })
  await rows.nth(count - 1).waitFor()
}

testInBrowser('requests are listed, filtered, and each one is opened', AUCKLAND, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await signInTo(service, page, 'ana@example.com')
  const accountId = await fillUsage(service, 'ana@example.com', { daysAgo: [3, 2, 1, 0] })
  const path = `${issuer}/console/api/accounts/${accountId}/requests`
  const { data } = (await (await page.request.get(path)).json()) as {
    readonly data: readonly { readonly request_id: string; readonly brand: string }[]
  }
  await openScreen(service, page, '/console/requests', 'Requests')
  const rows = page.getByRole('table').locator('tbody tr')
  await rows.first().waitFor()
  assert.equal(await rows.count(), data.length)
  await page.getByText('what was written or answered never is').waitFor()

  const link = page.getByRole('link', { name: /^Request of/ }).first()
  assert.match(await link.innerText(), /^22 Nov 2026, 01:00:/)
  assert.match((await link.getAttribute('title')) ?? '', /^21 Nov 2026, 12:00:\d\d UTC$/)
  await link.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Request' })
  const newest = data[0]?.request_id ?? ''
  await dialog.getByText(newest, { exact: true }).first().waitFor()
  await dialog.getByText('The whole reply was sent.').waitFor()
  await dialog.getByText(/^(production|laptop of Ana) \(…/).waitFor()
  await assertAccessible(page, 'a request')
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement?.matches("tbody a")'), true)

  await page.getByLabel('Model').selectOption('nova')
  await page.waitForURL(/model=nova/)
  const novas = data.filter(({ brand }) => brand === 'nova').length
  await waitForRows(rows, novas)
  await page.getByLabel('From (UTC day)').fill('2026-11-21')
  await page.waitForURL(/from=2026-11-21/)
  await page.getByLabel('How it ended').selectOption('client_left')
  await page.getByText('No request fits').waitFor()
  await page.reload()
  assert.equal(await page.getByLabel('How it ended').inputValue(), 'client_left')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await waitForRows(rows, data.length)
  assert.deepEqual(foreign, [])
})

testInBrowser('a request is found by its id, and only an own one', {}, async (page) => {
  await signInTo(service, page, 'bia@example.com')
  await fillUsage(service, 'bia@example.com', { daysAgo: [0] })
  const others = await findAccountId(service, 'ana@example.com')
  const foreignReceipt = (
    await service.app.ledger.receipts(others, { before: undefined, limit: 1 })
  )[0]
  const own = await findAccountId(service, 'bia@example.com')
  const [receipt] = await service.app.ledger.receipts(own, { before: undefined, limit: 1 })
  await openScreen(service, page, '/console/requests', 'Requests')
  const find = page.getByLabel('Find a request by its id')
  await find.press('Enter')
  await page.getByText('Paste a request id').waitFor()
  await find.fill(` ${receipt?.request_id} `)
  await find.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Request' })
  await dialog.getByText('by the model').waitFor()
  await page.waitForURL(/request=req_/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await find.fill(foreignReceipt?.request_id ?? '')
  await page.getByRole('button', { name: 'Find' }).click()
  await dialog.getByText('There is nothing here, or no more.').waitFor()
})

testInBrowser(
  'more are shown by a button, and a page that fails leaves those before',
  {},
  async (page) => {
    await signInTo(service, page, 'carla@example.com')
    await fillUsage(service, 'carla@example.com', { daysAgo: Array.from({ length: 30 }, () => 0) })
    await openScreen(service, page, '/console/requests', 'Requests')
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    assert.equal(await rows.count(), 50)
    const mend = await failReplies(page, '**/requests?*cursor=*')
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText(FAILED_ID).waitFor()
    assert.equal(await rows.count(), 50)
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('tbody tr').nth(50).waitFor()
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
    // The next Tab goes on from where the button was.
    const path = "document.activeElement?.closest('section') !== null"
    assert.equal(await page.evaluate(path), true)
  },
)

testInBrowser('a page that found nothing may have older ones behind it', {}, async (page) => {
  await signInTo(service, page, 'dora@example.com')
  await page.route(REQUESTS, (route) => {
    const isFirst = !route.request().url().includes('cursor=')
    return route.fulfill({ json: { data: [], next_cursor: isFirst ? 'req_1' : null } })
  })
  await page.goto(`${issuer}/console/requests?model=air`)
  await page.getByText('None among the latest requests').waitFor()
  await page.getByRole('button', { name: 'Look further back' }).click()
  await page.getByText('No request fits').waitFor()
})

testInBrowser('loading, failed and empty', {}, async (page) => {
  await signInTo(service, page, 'eva@example.com')
  const release = await holdReplies(page, REQUESTS)
  await openScreen(service, page, '/console/requests', 'Requests')
  await page.getByRole('main').getByText('Loading…').waitFor({ state: 'attached' })
  await release()
  await page.getByText('No requests yet').waitFor()
  assert.equal(
    await page.getByRole('link', { name: 'Make your first call' }).getAttribute('href'),
    '/console/start',
  )
  const mend = await failReplies(page, REQUESTS)
  await page.reload()
  await page.getByText(FAILED_ID).waitFor()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No requests yet').waitFor()
})

testInBrowser('everybody can read the requests, however long their figures', {}, async (page) => {
  await signInTo(service, page, 'filipa@example.com')
  const receipt = {
    request_id: `req_${'a'.repeat(96)}`,
    key_id: `key_${'b'.repeat(196)}`,
    brand: 'prime',
    model: 'm'.repeat(200),
    prompt_tokens: 123_456_789,
    completion_tokens: 987_654_321,
    cost_eur: '8999999.123456789',
    written_off_eur: '0.000000001',
    usage_source: 'counted',
    finish_reason: null,
    created_at: Date.UTC(2026, 10, 21),
    duration_ms: 3_599_999,
    first_token_ms: null,
  }
  const data = (['completed', 'client_left', 'upstream_failed'] as const).map((ended, index) => ({
    ...receipt,
    request_id: `${receipt.request_id}${index}`,
    ended,
  }))
  await page.route(REQUESTS, (route) => route.fulfill({ json: { data, next_cursor: null } }))
  await page.route('**/requests/req_*', (route) => route.fulfill({ json: data[2] ?? {} }))
  for (const [lang, title, open] of [
    ['en', 'Requests', /^Request of/],
    ['pt', 'Pedidos', /^Pedido de/],
  ] as const) {
    await page.goto(`${issuer}/console/requests?lang=${lang}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const link = page.getByRole('link', { name: open }).first()
    await link.waitFor()
    await assertAccessible(page, `requests, ${lang}`, SCHEMES[lang])
    await link.click()
    await page.getByRole('dialog').locator('dl').waitFor()
    await assertAccessible(page, `a long request, ${lang}`, SCHEMES[lang])
  }
})
