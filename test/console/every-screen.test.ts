import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { CONSOLE_SCREENS } from '#api/contract/index.ts'
import { assertAccessible, SCHEMES } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { furnish, makeOperator, NOW_MS, serveConsole } from '../support/console/furnish.ts'
import { settle, signInTo, watchForeignRequests } from '../support/console/open-console.ts'

const service = await serveConsole({ after })
const { issuer } = service.app.identity

const LOCALES = { en: 'en-GB', pt: 'pt-PT' } as const
/** All that screens ask the service for. */
const ASKED = /\/(console\/api|operator\/v1|api\/auth)\//
/** What the frame itself needs before it shows any screen. */
const OF_THE_FRAME = /\/console\/api\/(person|accounts)(\?|$)|\/console\/api\/settings/

function addressOf(screen: string, accountId: string): string {
  return issuer + screen.replace('$accountId', accountId)
}

/** A furnished operator, at the time at which everything happened. */
async function begin(page: Page, email: string): Promise<string> {
  await page.clock.install({ time: NOW_MS })
  const { accountId } = await furnish(service, page, email, 10)
  await makeOperator(service, email)
  return accountId
}

for (const language of ['en', 'pt'] as const) {
  const locale = LOCALES[language]
  testInBrowser(`every screen can be used by everybody (${language})`, { locale }, async (page) => {
    const foreign = watchForeignRequests(service, page)
    const accountId = await begin(page, `everybody-${language}@example.com`)
    for (const screen of CONSOLE_SCREENS) {
      await page.goto(addressOf(screen, accountId))
      await settle(page)
      assert.equal(await page.locator('html').getAttribute('lang'), locale)
      assert.equal(await page.locator('main [role=alert]').count(), 0, screen)
      await assertAccessible(page, `${screen} ${language}`, SCHEMES[language])
    }
    assert.deepEqual(foreign, [])
  })
}

testInBrowser('every screen says what failed, and by which request', {}, async (page) => {
  const accountId = await begin(page, 'unlucky@example.com')
  await page.route(ASKED, async (route) => {
    if (OF_THE_FRAME.test(route.request().url())) return route.fallback()
    return route.fulfill({
      status: 400,
      contentType: 'application/json',
      headers: { 'x-request-id': 'req_of_the_test' },
      body: JSON.stringify({ error: { code: 'of_the_test', message: 'It is not to be.' } }),
    })
  })
  for (const screen of CONSOLE_SCREENS) {
    await page.goto(addressOf(screen, accountId))
    await page.locator('main h1').waitFor()
    const told = page.getByText('It is not to be.')
    await told
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => assert.fail(`${screen} tells nothing`))
    assert.ok((await page.getByText('req_of_the_test').count()) > 0, `${screen} names no request`)
    assert.equal(await page.getByText('This screen did not load').count(), 0, screen)
  }
})

testInBrowser('every screen keeps a place for what has not come yet', {}, async (page) => {
  const accountId = await begin(page, 'patient@example.com')
  await page.goto(`${issuer}/console`)
  await settle(page)
  await page.route(ASKED, async (route) => {
    if (OF_THE_FRAME.test(route.request().url())) return route.fallback()
    // It never comes.
  })
  for (const screen of CONSOLE_SCREENS) {
    await page.goto(addressOf(screen, accountId))
    await page.locator('main [role=status].animate-pulse').first().waitFor()
  }
})

testInBrowser('every screen can be used with a keyboard alone', {}, async (page) => {
  const accountId = await begin(page, 'keyboard@example.com')
  for (const screen of CONSOLE_SCREENS) {
    await page.goto(addressOf(screen, accountId))
    await settle(page)
    const missed = await walkThrough(page)
    assert.deepEqual(missed, [], screen)
  }
})

/** Walks by Tab to the end of the page; answers what can be used and was not come by. */
async function walkThrough(page: Page): Promise<string[]> {
  const usable =
    'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'
  await page.evaluate(`document.activeElement?.blur()`)
  const reached = `document.activeElement.dataset.reached = 'true', document.activeElement.tagName`
  for (let step = 0; step < 400; step += 1) {
    await page.keyboard.press('Tab')
    const tag = await page.evaluate<string>(reached)
    if (tag === 'BODY' && step > 3) break
  }
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(usable)})]
    .filter((one) => one.checkVisibility() && !one.dataset.reached)
    .filter((one) => one.type !== 'radio')
    .map((one) => one.outerHTML.slice(0, 120))`)
}

testInBrowser('who is no operator is told so, and sees nothing of it', {}, async (page) => {
  await signInTo(service, page, 'customer@example.com')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  for (const screen of CONSOLE_SCREENS.filter((one) => one.startsWith('/console/operator'))) {
    await page.goto(addressOf(screen, 'acc_1'))
    await page.locator('main h1').waitFor()
    await page
      .getByText(/operators/i)
      .first()
      .waitFor()
  }
  assert.deepEqual(
    asked.filter((url) => url.includes('/operator/v1/')),
    [],
  )
})
