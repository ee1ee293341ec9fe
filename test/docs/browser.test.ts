import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { listPages } from '../../site/list-pages.ts'
import { LANGUAGES } from '../../site/words.ts'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after })
const { origin } = service

/** What the page asks of anybody else. */
function watchForeignRequests(page: Page): string[] {
  const foreign: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  return foreign
}

for (const language of LANGUAGES) {
  testInBrowser(`every page can be read by everybody (${language})`, {}, async (page) => {
    const foreign = watchForeignRequests(page)
    const addresses = listPages()
      .filter((source) => source.language === language)
      .map(({ address }) => address)
      .filter((address) => !address.startsWith('/docs/decisions/'))
    assert.ok(addresses.length > 25)
    for (const address of addresses) {
      await page.goto(origin + address)
      await assertAccessible(page, address, SCHEMES[language])
    }
    assert.deepEqual(foreign, [])
  })
}

testInBrowser(
  'without script every page is read, and the search is a list of all there is',
  { javaScriptEnabled: false },
  async (page) => {
    await page.goto(`${origin}/docs/versioning`)
    await page.getByRole('searchbox').fill('ceiling')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(`${origin}/docs/search?q=ceiling`)
    assert.ok((await page.locator('main li a').count()) > 100)
    await page.locator('main').getByRole('link', { name: 'Version policy' }).click()
    await page.getByRole('heading', { level: 1, name: 'Version policy' }).waitFor()
  },
)

testInBrowser('what is looked for is found as one types, by keyboard alone', {}, async (page) => {
  await page.goto(`${origin}/docs/versioning`)
  await page.keyboard.press('/')
  await page.keyboard.type('passkey')
  const results = page.locator('.results a')
  await results.first().waitFor()
  assert.ok((await results.count()) <= 8)
  await page.keyboard.press('ArrowDown')
  const text = await page.locator('.results a:focus strong').textContent()
  assert.ok(text && text.length > 3)
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.results').isVisible(), false)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/docs/search?q=passkey`)
  await page
    .getByRole('status')
    .getByText(/^\d+ found$/)
    .waitFor()
  await page.getByRole('searchbox').fill('xyzzyplugh')
  await page.getByText('Nothing found. Try another word.').waitFor()
  await assertAccessible(page, 'the search')
})

testInBrowser('the search finds Portuguese words typed without their accents', {}, async (page) => {
  await page.goto(`${origin}/docs/pt/search?q=politica versoes`)
  await page.locator('.results a', { hasText: 'Política de versões' }).first().click()
  await page.waitForURL(/\/docs\/pt\/versioning/)
})

testInBrowser('code is copied by a button', {}, async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${origin}/docs/quickstart`)
  const block = page.locator('figure.code:not(.output)').first()
  await block.hover()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(copied, await block.locator('code').textContent())
})

testInBrowser('in the reference an operation is found, and called for real', {}, async (page) => {
  const foreign = watchForeignRequests(page)
  const { key } = await openAccount(service, { depositEur: '10' })
  await page.setViewportSize({ width: 1_280, height: 900 })
  await page.goto(`${origin}/docs/api`)
  await page.getByRole('heading', { name: 'svc API' }).waitFor()
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click()
  await page.getByRole('dialog').locator('input').fill('take a conversation')
  await page.getByRole('option', { name: '/v1/chat/{brand}' }).first().click()
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByPlaceholder('Token').fill(key)
  await dialog.getByRole('button', { name: /Send/ }).first().click()
  await dialog.getByText('200 OK').waitFor()
  await dialog.getByText('chat.completion', { exact: false }).first().waitFor()
  assert.deepEqual(foreign, [])
})
