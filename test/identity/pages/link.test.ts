import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { LOCALES } from '../../../src/api/identity/pages/languages.ts'
import { assertAccessible } from '../../support/browser/assert-accessible.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { operate } from '../../support/call.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity

async function makeLink(email: string): Promise<string> {
  await operate(service, 'POST', '/accounts', { email })
  const { json: people } = await operate(service, 'GET', `/people?email=${email}`)
  const path = `/people/${people.data[0].id}/sign-in-links`
  return (await operate(service, 'POST', path, {})).json.url
}

const whoIs = async (page: Page): Promise<unknown> => {
  const response = await page.context().request.get(`${issuer}/console/api/person`)
  return ((await response.json()) as { readonly email?: string }).email
}

for (const [lang, button] of [
  ['en', 'Sign in'],
  ['pt', 'Iniciar sessão'],
] as const) {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with scripts' : 'without scripts'
    testInBrowser(
      `everybody can use a link, ${lang}, ${how}`,
      { javaScriptEnabled },
      async (page) => {
        const email = `somebody.with.a.long.address.${lang}.${javaScriptEnabled}@subdomain.of.example.com`
        const url = await makeLink(email)
        await page.goto(`${url}?lang=${lang}`)
        assert.equal(await page.getAttribute('html', 'lang'), LOCALES[lang])
        await page.getByText(email).waitFor()
        if (javaScriptEnabled) await assertAccessible(page, `a link, ${lang}`)
        // By the keyboard alone, and with the Origin that the page's policy leaves to the browser.
        await page.getByRole('button', { name: button }).focus()
        await page.keyboard.press('Enter')
        await page.waitForURL('**/console')
        assert.equal(await whoIs(page), email)
        const again = await page.goto(url)
        assert.equal(again?.status(), 410)
        await page.getByText('npx parley person link EMAIL').waitFor()
        if (javaScriptEnabled) await assertAccessible(page, `a link that is over, ${lang}`)
      },
    )
  }
}

testInBrowser('the address of a link is sent to nobody, us included', {}, async (page) => {
  const url = await makeLink('quiet@example.com')
  const referrers: (string | undefined)[] = []
  page.on('request', (request) => referrers.push(request.headers()['referer']))
  await page.goto(url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/console')
  assert.ok(referrers.length > 3)
  for (const referrer of referrers) assert.doesNotMatch(referrer ?? '', /link/)
})
