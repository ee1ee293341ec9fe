import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { renderErrorPage } from '../../../src/api/identity/pages/error-page.ts'
import { LOCALES, WORDS } from '../../../src/api/identity/pages/languages.ts'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { makePerson, PASSWORD, post } from '../../support/browser/people.ts'
import { startApp } from '../../support/browser/start-app.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const app = await startApp({ after }, service)

const LANGUAGES = ['en', 'pt'] as const
const submit = (page: Page): Promise<void> =>
  page.locator('main form [type=submit]').first().click()

/** Each page as it is asked, and with all that can be wrong in its form. */
const PAGES = {
  '/sign-in': ['/sign-in', 'with problems'],
  '/sign-in with a notice': ['/sign-in?notice=verified&next=%2Faccount'],
  '/sign-in/code': ['/sign-in/code', 'with problems'],
  '/sign-in/code with a recovery code': ['/sign-in/code?with=recovery', 'with problems'],
  '/sign-up': ['/sign-up', 'with problems'],
  '/verify-email': ['/verify-email?token=x'],
  '/verify-email with a dead link': ['/verify-email', 'with problems'],
  '/change-email': ['/change-email?token=x'],
  '/change-email with a dead link': ['/change-email'],
  '/forgot-password': ['/forgot-password', 'with problems'],
  '/reset-password': ['/reset-password?token=x', 'with problems'],
  '/reset-password with a dead link': ['/reset-password'],
  'a link that is none': ['/link/x'],
  'an interaction that is gone': ['/interaction/gone'],
  'an address with nothing there': ['/sign-in/nothing'],
} as const

for (const [name, [path, problems]] of Object.entries(PAGES)) {
  testInBrowser(`everybody can use ${name}`, {}, async (page) => {
    for (const lang of LANGUAGES) {
      await page.goto(`${issuer}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`)
      assert.equal(await page.getAttribute('html', 'lang'), LOCALES[lang])
      await assertAccessible(page, `${name}, ${lang}`)
      if (problems === undefined) continue
      await submit(page)
      await page.locator('[role=alert]').waitFor()
      assert.match(await page.title(), /^(Error|Erro): /)
      await assertAccessible(page, `${name}, ${lang}, ${problems}`)
    }
  })
}

testInBrowser('everybody can use what follows signing up', {}, async (page) => {
  for (const lang of LANGUAGES) {
    const email = `somebody.with.a.long.address.${lang}@subdomain.of.some.example.com`
    await page.goto(`${issuer}/sign-up?lang=${lang}`)
    await page.fill('#name', 'Somebody')
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await submit(page)
    await page.locator('strong.address').waitFor()
    await assertAccessible(page, `look at your mail, ${lang}`)
    await page.goto(`${issuer}/sign-in?lang=${lang}`)
    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await submit(page)
    await page.locator('[role=alert]').waitFor()
    await assertAccessible(page, `not confirmed yet, ${lang}`)
  }
})

testInBrowser('everybody can use what is for who is signed in', {}, async (page) => {
  for (const lang of LANGUAGES) {
    const email = `ana.${lang}@example.com`
    await page.context().clearCookies()
    await makePerson(service, page.context(), email, 'A'.repeat(90))
    await post(page.context(), issuer, '/api/auth/sign-in/email', { email, password: PASSWORD })
    await page.goto(`${issuer}/account?lang=${lang}`)
    await page.goto(app.startUrl({ scope: 'openid profile email plano offline_access' }))
    await page.locator('[name=decision]').first().waitFor()
    await assertAccessible(page, `consent, ${lang}`)
    const [deny, allow] = await page
      .locator('[name=decision]')
      .evaluateAll((buttons) => buttons.map((one) => JSON.stringify(one.getBoundingClientRect())))
    const sizeOf = (box = '{}'): unknown[] => {
      const { width, height } = JSON.parse(box) as Record<string, unknown>
      return [width, height]
    }
    assert.deepEqual(sizeOf(deny), sizeOf(allow), 'both answers weigh the same')
    await page.getByRole('button', { name: /Allow|Permitir/ }).click()
    await page.waitForURL(`${app.origin}/callback**`)
    for (const path of ['/account?notice=emailChanged&', '/sign-out?', '/sign-in?again=1&']) {
      await page.goto(`${issuer}${path}lang=${lang}`)
      await assertAccessible(page, `${path}, ${lang}`)
    }
  }
})

testInBrowser(
  "everybody can read the OpenID provider's errors, and the page between",
  {},
  async (page) => {
    for (const lang of LANGUAGES) {
      const { appTitle, appText } = WORDS[lang].faults
      const body = renderErrorPage({
        status: 400,
        language: lang,
        title: appTitle,
        text: appText,
        details: "redirect_uri did not match any of the client's registered redirect_uris",
        requestId: 'req_01a1ff47bd6a7147a91b9f95184f2ff0',
      })
      const url = `${issuer}/interaction/shown-${lang}`
      await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body }))
      await page.goto(url)
      assert.equal(await page.getAttribute('html', 'lang'), LOCALES[lang])
      await assertAccessible(page, `an error of the provider, ${lang}`)
    }
    const next = '/interaction/somewhere'
    const options = { form: { next }, headers: { origin: issuer } }
    const between = await page.context().request.post(`${issuer}/sign-out`, options)
    const text = await between.text()
    assert.match(text, /<meta http-equiv="refresh" content="0;url=\/interaction\/somewhere"/)
    const body = text.replace(/<meta http-equiv="refresh"[^>]*>/, '')
    await page.route(`${issuer}/between`, (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    )
    await page.goto(`${issuer}/between`)
    await assertAccessible(page, 'the page between')
  },
)
