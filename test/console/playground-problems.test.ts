import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { operate } from '../support/call.ts'
import { openScreen, signInTo } from '../support/console/open-console.ts'
import { serveWithUpstream } from '../support/service.ts'

const { service, upstream } = await serveWithUpstream(
  { after },
  {},
  { identity: 'localhost', trustedProxies: ['127.0.0.1'] },
)

async function open(page: Page, email: string, title = 'Playground'): Promise<void> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/playground', title)
}

async function say(page: Page, message: string): Promise<void> {
  await page.getByLabel('Message').fill(message)
  await page.keyboard.press('Enter')
}

testInBrowser('a ceiling that is reached says so, and leads to the limits', {}, async (page) => {
  await open(page, 'ana@example.com')
  const { json } = await operate(service, 'GET', '/accounts?email=ana@example.com')
  const path = `/accounts/${json.data[0].id}`
  upstream.play({ content: 'Welcome.' })
  await say(page, 'Hi')
  await page.getByRole('article').getByText('Welcome.').waitFor()
  await operate(service, 'PATCH', path, { daily_ceiling_eur: '0.000001' })
  await say(page, 'Hello')
  await page.getByRole('alert').getByText('The daily ceiling is reached.').waitFor()
  await page.getByText('daily_spend_limit_reached').waitFor()
  await page.getByRole('alert').getByText(/^req_/).waitFor()
  await assertAccessible(page, 'playground, refused')
  await operate(service, 'PATCH', path, { daily_ceiling_eur: null })
  upstream.play({ content: 'Hello to you.' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('article').getByText('Hello to you.').waitFor()
  const { messages } = upstream.requests.at(-1)?.body ?? {}
  assert.equal(messages?.filter(({ role }) => role === 'user').length, 2)
})

const REFUSALS = [
  [402, 'insufficient_balance', 'The balance does not cover', 'Top up the balance'],
  [429, 'rate_limit_rpm', 'Try again in 17 s.', 'See the limits'],
  [503, 'model_unavailable', 'The model is not available', undefined],
  [400, 'invalid_request', 'What is wrong with it.', undefined],
] as const

testInBrowser('each refusal is in words, with its code and its way out', {}, async (page) => {
  await open(page, 'rui@example.com')
  for (const [status, code, text, wayOut] of REFUSALS) {
    await page.route('**/console/api/accounts/*/chat/*', (route) =>
      route.fulfill({
        status,
        headers: { 'x-request-id': 'req_7', 'retry-after': '17' },
        json: { error: { code, message: 'What is wrong with it.' } },
      }),
    )
    await say(page, 'Hello')
    const last = page.getByRole('article').last()
    await last.getByText(text).waitFor()
    await last.getByText(code, { exact: true }).waitFor()
    await last.getByText('req_7').waitFor()
    if (wayOut !== undefined) await last.getByRole('link', { name: wayOut }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Start over' }).click()
  }
})

testInBrowser(
  'a reply that breaks off says so, and is told with what it cost',
  {},
  async (page) => {
    upstream.play({ deltas: ['One, ', 'two'], fault: { kind: 'cut', at: 'after-delta-1' } })
    await open(page, 'eva@example.com')
    await say(page, 'Count!')
    await page.getByText('The reply broke off.').waitFor()
    await page.getByText(/^\d+ in, [1-9]\d* out$/).waitFor()
    upstream.play({ content: 'Never mind.' })
    await say(page, 'And?')
    await page.getByRole('article').getByText('Never mind.').waitFor()
  },
)

testInBrowser(
  'nobody is there, then somebody is, in Portuguese',
  { locale: 'pt-PT' },
  async (page) => {
    let mayAnswer = (): void => undefined
    const answered = new Promise<void>((resolve) => (mayAnswer = resolve))
    await page.route('**/console/api/models', async (route) => {
      await answered
      const error = { code: 'bad', message: 'No.' }
      await route.fulfill({ status: 400, headers: { 'x-request-id': 'req_9' }, json: { error } })
    })
    await open(page, 'leo@example.com', 'Experimentar')
    await page.getByText('A carregar…').waitFor({ state: 'attached' })
    mayAnswer()
    await page.getByRole('alert').getByText('req_9').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await page.getByText('Ainda nada foi dito').waitFor()
    await assertAccessible(page, 'playground, pt')
    upstream.play({ content: 'b'.repeat(3_000), reasoning: 'r'.repeat(3_000) })
    await page.getByLabel('Modelo').selectOption('nova')
    await page.getByLabel('Mensagem').fill('a'.repeat(3_000))
    await page.keyboard.press('Enter')
    await page.getByText('Custo').waitFor()
    await page.getByText('Raciocínio', { exact: true }).click()
    await assertAccessible(page, 'playground, long, pt')
  },
)
