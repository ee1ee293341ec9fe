import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { findChromium, NO_CHROMIUM } from './find-chromium.ts'

/** Where no browser is, tests are passed over; not where CI runs. */
const isPassedOver = findChromium() === undefined && process.env['CI'] !== 'true'

/** Long, for what is waited for comes sooner or never: a busy machine must fail nothing. */
const TIMEOUT_MS = 30_000

let launching: Promise<Browser> | undefined
let visitors = 0

/**
 * A test in a real browser, one for each file, as a visitor with nothing in it and an address of their
 * own, by which signing in is limited. Whatever the page's own policy had to forbid fails the test.
 */
export function testInBrowser(
  name: string,
  options: BrowserContextOptions,
  run: (page: Page, t: TestContext) => Promise<void>,
): void {
  test(name, async (t) => {
    // Not by an option: a file in which no test has run at all does not run its `after` hooks either.
    if (isPassedOver) return t.skip(NO_CHROMIUM)
    launching ??= launch()
    visitors += 1
    const context = await (
      await launching
    ).newContext({
      locale: 'en-GB',
      extraHTTPHeaders: { 'x-forwarded-for': `10.0.${visitors >> 8}.${visitors & 255}` },
      ...options,
    })
    t.after(() => context.close())
    context.setDefaultTimeout(TIMEOUT_MS)
    const violations: string[] = []
    context.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
    })
    context.on('weberror', (error) => violations.push(String(error.error())))
    await run(await context.newPage(), t)
    assert.deepEqual(violations, [])
  })
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  assert.ok(executablePath, NO_CHROMIUM)
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
}

after(async () => {
  // That there was none, its test has told; hooks that come after a failed one do not run.
  const browser = await launching?.catch(() => undefined)
  await browser?.close()
})
