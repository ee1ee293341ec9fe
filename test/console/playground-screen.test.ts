import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { operate } from '../support/call.ts'
import { openScreen, signInTo, watchForeignRequests } from '../support/console/open-console.ts'
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

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const said = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Conversation' }).getByText(text, { exact: true })

async function say(page: Page, message: string): Promise<void> {
  await page.getByLabel('Message').fill(message)
  await page.keyboard.press('Enter')
}

async function accountOf(email: string) {
  return (await operate(service, 'GET', `/accounts?email=${email}`)).json.data[0]
}

testInBrowser('a reply comes as it is made, and is told with what it cost', {}, async (page) => {
  const foreign = watchForeignRequests(service, page)
  const pause = Promise.withResolvers<void>()
  upstream.play({
    reasoning: 'They greet me.',
    deltas: ['Good ', 'morning, ', 'Ana.'],
    usage: { promptTokens: 20, completionTokens: 5 },
    pauses: [{ at: 'after-delta-5', until: pause.promise }],
  })
  await open(page, 'ana@example.com')
  await page.getByText('Nothing said yet').waitFor()
  await assertAccessible(page, 'playground, empty')
  await page.getByLabel('Model').selectOption('nova')
  await page.getByText('€3.20 in, €9.50 out').waitFor()
  await page.getByLabel('Max tokens').fill('600')
  await page.getByText('€0.0057').waitFor()
  await page.getByLabel('System prompt').fill('Be kind.')
  await page.getByLabel('Temperature').fill('0.2')
  await say(page, 'Good morning!')
  await said(page, 'Good morning,').waitFor()
  await button(page, 'Stop').waitFor()
  // What has come is read out every few seconds.
  await page.locator('[aria-live]').getByText('Good morning,').waitFor({ state: 'attached' })
  pause.resolve()
  await said(page, 'Good morning, Ana.').waitFor()
  await page
    .locator('[aria-live]')
    .getByText('The reply is complete.')
    .waitFor({ state: 'attached' })
  // 20 tokens at 3.20 and 5 at 9.50 € a million.
  await page.getByText('€0.0001115').waitFor()
  await page.getByText('20 in, 5 out').waitFor()
  assert.equal(await said(page, 'They greet me.').isVisible(), false)
  await page.getByText('Reasoning', { exact: true }).click()
  await said(page, 'They greet me.').waitFor()
  await assertAccessible(page, 'playground, with a reply')

  const { messages, max_tokens: most, temperature } = upstream.requests.at(-1)?.body ?? {}
  assert.deepEqual([most, temperature], [600, 0.2])
  const [user, system] = [messages?.at(-1)?.content, messages?.at(-2)?.content]
  assert.deepEqual([user, system], ['Good morning!', 'Be kind.'])
  const { id } = await accountOf('ana@example.com')
  const { json } = await operate(service, 'GET', `/accounts/${id}/receipts`)
  await page.getByText(json.data[0].request_id).first().waitFor()
  assert.deepEqual(foreign, [])
  const kept = 'JSON.stringify([localStorage, sessionStorage, history.state, document.cookie])'
  assert.doesNotMatch(String(await page.evaluate(kept)), /morning/)
  assert.doesNotMatch(service.logged.join('\n'), /morning/)
})

testInBrowser('the model calls functions, and goes on with what they gave', {}, async (page) => {
  const calls = [
    { name: 'get_weather', arguments: '{"city":"Lisboa"}' },
    { name: 'get_weather', arguments: '{"city":"Porto"}' },
  ]
  upstream.play([{ toolCalls: calls }, { content: 'Sunny here, rain there.' }])
  await open(page, 'rui@example.com')
  await page.getByText('air takes no tools.').waitFor()
  await page.getByLabel('Model').selectOption('prime')
  await page.getByLabel('Tools').fill('{}')
  await page.getByText('Give a list: [ … ].').waitFor()
  assert.equal(await button(page, 'View code').isDisabled(), true)
  await page.getByLabel('Tools').fill('')
  await button(page, 'Insert an example').click()
  await say(page, 'Weather?')
  const results = page.getByRole('textbox', { name: 'Result of get_weather' })
  await results.nth(1).waitFor()
  assert.equal(await page.getByText('The model calls get_weather').count(), 2)
  await page.getByRole('region', { name: 'Arguments of get_weather' }).getByText('Porto').waitFor()
  await assertAccessible(page, 'playground, asked for results')
  await page.keyboard.type('sunny')
  await results.nth(1).fill('rain')
  await button(page, 'Send results').click()
  await said(page, 'Sunny here, rain there.').waitFor()
  const { messages = [], tools } = upstream.requests.at(-1)?.body ?? {}
  assert.equal(tools?.length, 1)
  assert.deepEqual(
    messages.slice(-3).map(({ role, content }) => [role, content]),
    [
      ['assistant', messages.at(-3)?.content],
      ['tool', 'sunny'],
      ['tool', 'rain'],
    ],
  )
  await button(page, 'Start over').click()
  await page.getByText('Nothing said yet').waitFor()
  assert.equal(await page.locator(':focus').textContent(), 'Start over')
})

testInBrowser('a reply is stopped, what came of it stays, and it is paid for', {}, async (page) => {
  upstream.play({
    deltas: ['One, ', 'two, ', 'three'],
    fault: { kind: 'hang', at: 'after-delta-2' },
  })
  await open(page, 'eva@example.com')
  await say(page, 'Count!')
  await said(page, 'One, two,').waitFor()
  await button(page, 'Stop').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Stopped. What was generated until then is paid for.').waitFor()
  await button(page, 'Send').waitFor()
  await page.getByText(/^\d+ in, [1-9]\d* out$/).waitFor()
  assert.equal(await page.locator(':focus').textContent(), 'Send')
  upstream.play({ content: 'Three.' })
  await say(page, 'Go on.')
  await said(page, 'Three.').waitFor()
  const { messages } = upstream.requests.at(-1)?.body ?? {}
  const told = messages?.slice(-3).map(({ content }) => content)
  assert.deepEqual(told, ['Count!', 'One, two, ', 'Go on.'])
  const { balance_eur: balance } = await accountOf('eva@example.com')
  assert.ok(Number(balance) < 1)
})

/** The page's policy lets nothing in it be evaluated again and again. */
async function until(page: Page, truth: string): Promise<void> {
  while (!(await page.evaluate(truth))) await page.waitForTimeout(20)
}

testInBrowser('the end is kept in sight, but not of whoever reads above', {}, async (page) => {
  const pause = Promise.withResolvers<void>()
  const deltas = Array.from({ length: 60 }, (_, line) => `Line ${line}\n`)
  upstream.play({ deltas, pauses: [{ at: 'after-delta-50', until: pause.promise }] })
  await open(page, 'gil@example.com')
  await page.setViewportSize({ width: 1_280, height: 800 })
  await say(page, 'Many lines!')
  await page.getByText(/Line 49/).waitFor()
  const region = page.getByRole('region', { name: 'Conversation' })
  const element = `document.querySelector('[aria-label=Conversation]')`
  const isAtEnd = `${element}.scrollHeight - ${element}.clientHeight - ${element}.scrollTop < 60`
  await until(page, isAtEnd)
  await region.focus()
  await page.keyboard.press('Home')
  await until(page, `${element}.scrollTop < 5`)
  pause.resolve()
  await page.getByText(/^\d+ in, [1-9]\d* out$/).waitFor()
  assert.equal(await page.evaluate(isAtEnd), false)
})

testInBrowser('leaving asks while a reply comes, and only then', {}, async (page) => {
  upstream.play({ deltas: ['One, ', 'two'], fault: { kind: 'hang', at: 'after-delta-1' } })
  await open(page, 'leo@example.com')
  await page.setViewportSize({ width: 1_280, height: 800 })
  await say(page, 'Count!')
  await said(page, 'One,').waitFor()
  const link = page.getByRole('link', { name: 'Keys', exact: true })
  await link.click()
  const dialog = page.getByRole('dialog', { name: 'Leave while a reply comes?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await said(page, 'One,').waitFor()
  await link.click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  upstream.play({ content: 'Done.' })
  await openScreen(service, page, '/console/playground', 'Playground')
  await say(page, 'Count!')
  await said(page, 'Done.').waitFor()
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
})
