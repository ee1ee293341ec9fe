import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { fillUsage, findAccountId } from '../support/console/fill-usage.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
import { readDownload } from '../support/console/read-download.ts'
import { FAILED_ID, failReplies, holdReplies } from '../support/console/stop-replies.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const USAGE = '**/console/api/accounts/*/usage*'

interface UsageRow {
  readonly day: string
  readonly brand: string
  readonly requests: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost_eur: string
}

async function readUsage(page: Page, email: string, query = '') {
  const accountId = await findAccountId(service, email)
  const path = `${issuer}/console/api/accounts/${accountId}/usage${query}`
  const json = (await (await page.request.get(path)).json()) as {
    readonly days: readonly UsageRow[]
    readonly totals: UsageRow
    readonly keys: readonly { readonly key_id: string; readonly requests: number }[]
  }
  return json
}

testInBrowser('use is seen by day and model, and kept as a file', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  await signInTo(service, page, 'ana@example.com')
  await fillUsage(service, 'ana@example.com', { daysAgo: [12, 5, 5, 1, 0] })
  await openScreen(service, page, '/console/usage', 'Usage')
  const { days, totals } = await readUsage(page, 'ana@example.com')
  assert.ok(days.length >= 6)
  const bars = page.getByRole('img', { name: /^Bars: Cost by day and model, 23 Oct 2026 to/ })
  await bars
    .locator('rect')
    .nth(days.length - 1)
    .waitFor({ state: 'attached' })
  assert.equal(await bars.locator('rect').count(), days.length)
  assert.ok(await page.getByText(`€${totals.cost_eur}`).first().isVisible())

  const day = page.getByRole('slider', { name: 'Day' })
  await day.focus()
  assert.match((await day.getAttribute('aria-valuetext')) ?? '', /^21 Nov 2026: €/)
  await page.keyboard.press('ArrowLeft')
  assert.match((await day.getAttribute('aria-valuetext')) ?? '', /^20 Nov 2026: €/)
  await page.getByRole('figure').getByText('20 Nov 2026', { exact: true }).waitFor()
  await page.keyboard.press('Home')
  assert.match((await day.getAttribute('aria-valuetext')) ?? '', /^23 Oct 2026: €0\.00$/)

  await page.getByText('Show as a table').click()
  const table = page.getByRole('table', { name: 'Usage by day and model' })
  assert.equal(await table.getByRole('row').count(), days.length + 1)
  const press = () => page.getByRole('button', { name: 'Download CSV' }).click()
  const { name, text } = await readDownload(page, press)
  assert.equal(name, 'usage-2026-10-23-2026-11-21.csv')
  const written = days
    .toReversed()
    .map((row) =>
      [
        row.day,
        row.brand,
        row.requests,
        row.prompt_tokens,
        row.completion_tokens,
        row.cost_eur,
      ].join(),
    )
  const header = 'day,model,requests,prompt_tokens,completion_tokens,cost_eur'
  assert.deepEqual(text.split('\r\n'), [header, ...written, ''])
  assert.deepEqual(foreign, [])
})

testInBrowser('what is chosen stands in the address, and comes back with it', {}, async (page) => {
  await signInTo(service, page, 'bia@example.com')
  await fillUsage(service, 'bia@example.com', { daysAgo: [40, 3, 0] })
  await openScreen(service, page, '/console/usage', 'Usage')
  await page.getByRole('button', { name: 'Show only production' }).click()
  await page.waitForURL(/key=key_/)
  await page.getByRole('radio', { name: 'Last month' }).check()
  await page.waitForURL(/range=last-month/)
  await page.getByRole('radio', { name: '90 days' }).check()
  await page.getByRole('radio', { name: /^Requests/ }).check()
  await page.waitForURL(/show=requests/)
  await page.reload()
  const keyId = new URL(page.url()).searchParams.get('key') ?? ''
  const { totals } = await readUsage(page, 'bia@example.com', `?from=2026-08-24&key_id=${keyId}`)
  const name = new RegExp(
    `^Bars: Requests by day and model, 24 Aug 2026 to .* ${totals.requests} in all`,
  )
  await page.getByRole('img', { name }).waitFor()
  assert.equal(await page.getByRole('radio', { name: '90 days' }).isChecked(), true)

  await page.getByRole('radio', { name: 'Other days' }).check()
  await page.getByLabel('From').fill('2026-11-18')
  await page.getByRole('img', { name: /18 Nov 2026 to 21 Nov 2026/ }).waitFor()
  await page.getByLabel('To', { exact: true }).fill('2026-11-17')
  await page.getByText('This is after the last day.').waitFor()
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByText('At most 400 days can be added up at once.').waitFor()
})

testInBrowser('nobody has used anything yet: it says what to do', {}, async (page) => {
  await signInTo(service, page, 'carla@example.com')
  await openScreen(service, page, '/console/usage', 'Usage')
  await page.getByText('No requests in these days').waitFor()
  await assertAccessible(page, 'usage without use')
  await page.getByRole('link', { name: 'Make a call' }).click()
  await page.waitForURL(`${issuer}/console/start`)
})

testInBrowser(
  'what is not there yet is a skeleton; what failed can be asked again',
  {},
  async (page) => {
    await signInTo(service, page, 'dora@example.com')
    await fillUsage(service, 'dora@example.com', { daysAgo: [0] })
    const release = await holdReplies(page, USAGE)
    await openScreen(service, page, '/console/usage', 'Usage')
    await page.getByRole('main').getByText('Loading…').waitFor({ state: 'attached' })
    await release()
    await page.getByRole('img', { name: /^Bars/ }).waitFor()
    const mend = await failReplies(page, USAGE)
    await page.reload()
    await page.getByText(FAILED_ID).waitFor()
    await assertAccessible(page, 'usage that failed')
    await mend()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('img', { name: /^Bars/ }).waitFor()
  },
)

/** Ten thousand rows: more models than there are, over as many days as can be asked for. */
function makeMuch(keyName: string): object {
  const cost = '0.123456789'
  const figures = { requests: 12_345, prompt_tokens: 1_234_567, completion_tokens: 234_567 }
  const first = Date.UTC(2025, 9, 18)
  const days = Array.from({ length: 10_000 }, (_row, index) => ({
    day: new Date(first + Math.floor(index / 25) * 86_400_000).toISOString().slice(0, 10),
    brand: `model-${index % 25}`,
    ...figures,
    cost_eur: cost,
    written_off_eur: '0.000000001',
  }))
  const keys = Array.from({ length: 100 }, (_key, index) => ({
    key_id: `key_${index}`,
    name: `${index} ${keyName}`,
    last_four: 'abcd',
    ...figures,
    cost_eur: '8999999.123456789',
  }))
  const totals = { ...figures, cost_eur: '1234.567891234' }
  return { from: '2025-10-18', to: '2026-11-21', days, keys, totals, as_of: Date.UTC(2026, 10, 21) }
}

testInBrowser('400 days, ten thousand rows and long names are drawn', {}, async (page) => {
  await signInTo(service, page, 'eva@example.com')
  const json = makeMuch('k'.repeat(200))
  await page.route(USAGE, (route) => route.fulfill({ json }))
  await openScreen(service, page, '/console/usage', 'Usage')
  const bars = page.getByRole('img', { name: /^Bars/ })
  await bars.waitFor()
  assert.equal(await bars.locator('rect').count(), 10_000)
  await page.getByText('€0.00001 more was not charged').waitFor()
  await page.getByText('Show as a table').click()
  await page.getByText('100 of 10,000 rows').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('200 of 10,000 rows').waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
})

testInBrowser('everybody can read the usage', {}, async (page) => {
  await signInTo(service, page, 'filipa@example.com')
  await fillUsage(service, 'filipa@example.com', { daysAgo: [9, 0] })
  for (const [lang, title] of [
    ['en', 'Usage'],
    ['pt', 'Utilização'],
  ] as const) {
    await page.goto(`${issuer}/console/usage?lang=${lang}&range=custom`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.locator('figure').waitFor()
    await page.locator('summary').last().click()
    await assertAccessible(page, `usage, ${lang}`, SCHEMES[lang])
  }
})
