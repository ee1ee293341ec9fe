import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { BASE_URL } from '../support/app-options.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openAccount } from '../support/call.ts'
import { openScreen, signInTo } from '../support/console/open-console.ts'
import { serveWithUpstream } from '../support/service.ts'
import { writeProgram } from '../support/write-program.ts'

const { service, upstream } = await serveWithUpstream(
  { after },
  { content: 'Good morning.' },
  { identity: 'localhost', trustedProxies: ['127.0.0.1'] },
)
const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const
const run = promisify(execFile)

async function open(page: Page, email: string): Promise<void> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/playground', 'Playground')
}

async function viewCode(page: Page) {
  await page.getByRole('button', { name: 'View code', exact: true }).click()
  return page.getByRole('dialog', { name: 'Code' })
}

/** What is shown, run as whoever has copied it would, with a key in the environment. */
async function runShown(t: TestContext, name: (typeof LANGUAGES)[number], shown: string) {
  const { key } = await openAccount(service, { depositEur: '20.00' })
  // Shown is the address that people are told; the service of the test is at its own.
  const code = shown.replaceAll(BASE_URL, `${service.origin}/v1`)
  assert.notEqual(code, shown)
  const env = { PATH: process.env['PATH'], PARLEY_API_KEY: key }
  switch (name) {
    case 'curl':
      return run('sh', ['-c', code], { env })
    case 'TypeScript':
      return run(process.execPath, [writeProgram(t, 'shown.mts', code)], { env })
    case 'Python':
      return run('python3', [writeProgram(t, 'shown.py', code)], { env })
  }
}

testInBrowser('the request is told as code, and no key is in it', {}, async (page) => {
  await open(page, 'bia@example.com')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const button = page.getByRole('button', { name: 'View code', exact: true })
  assert.equal(await button.isDisabled(), true)
  await page.getByLabel('Message').fill("What's up?")
  const dialog = await viewCode(page)
  const code = dialog.getByRole('region')
  await dialog.getByRole('radio', { name: 'curl' }).focus()
  for (const [name, wanted] of [
    ['curl', `curl -N ${BASE_URL}/chat/air`],
    ['TypeScript', "client.stream('air', "],
    ['Python', 'urllib.request.Request('],
  ] as const) {
    await dialog.getByRole('region', { name }).getByText(wanted).waitFor()
    const text = (await code.textContent()) ?? ''
    assert.match(text, /PARLEY_API_KEY/)
    assert.doesNotMatch(text, /svc_live_/)
    await assertAccessible(page, `playground, ${name}`)
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
    await dialog.getByRole('radio', { name }).focus()
    await page.keyboard.press('ArrowRight')
  }
})

testInBrowser(
  'each code that is shown runs, and asks what the screen would',
  {},
  async (page, t) => {
    await open(page, 'rita@example.com')
    await page.getByLabel('Model').selectOption('prime')
    await page.getByLabel('System prompt').fill("Don't shout.")
    await page.getByLabel('Max tokens').fill('300')
    await page.getByLabel('Temperature').fill('0.5')
    await page.getByRole('button', { name: 'Insert an example' }).click()
    await page.getByLabel('Message').fill('Say "ção" & `id` $HOME \\ 😀')
    await page.getByLabel('Message').press('Enter')
    await page.getByRole('article').getByText('Good morning.').waitFor()
    await page.getByLabel('Message').fill("And what's next?")
    const dialog = await viewCode(page)
    const shown = new Map<(typeof LANGUAGES)[number], string>()
    for (const name of LANGUAGES) {
      await dialog.getByText(name, { exact: true }).click()
      shown.set(name, await dialog.getByRole('region', { name }).innerText())
    }
    for (const [name, code] of shown) {
      const { stdout } = await runShown(t, name, code)
      const text = name === 'TypeScript' ? stdout : readDeltas(stdout)
      assert.equal(text, 'Good morning.', name)
    }
    const programs = upstream.requests.slice(-LANGUAGES.length).map(({ body }) => body)
    await page.keyboard.press('Escape')
    await page.getByLabel('Message').press('Enter')
    await page.getByRole('article').nth(1).getByText('Good morning.').waitFor()
    for (const body of programs) assert.deepEqual(body, upstream.requests.at(-1)?.body)
  },
)

/** Of what curl and Python print: the events as they come. */
function readDeltas(events: string): string {
  const lines = events.matchAll(/^data: (\{.*\})$/gm)
  const deltas = Array.from(lines, ([, json = '']) => JSON.parse(json).choices[0].delta)
  return deltas.map(({ content = '' }) => content).join('')
}
