import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { CONSOLE_SCREENS } from '#api/contract/index.ts'
import { findChromium, NO_CHROMIUM } from '../support/browser/find-chromium.ts'
import { settle } from '../support/console/open-console.ts'
import { furnish, makeOperator, NOW_MS, serveConsole } from '../support/console/furnish.ts'

/**
 * `npm run screenshots`: each screen of the console as a month of use fills it, into docs/images.
 * The clocks of service and browser stand still, so that only what is drawn by lot differs: keys, ids.
 */
const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url))

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1_280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 800 }, colorScheme: 'light' },
}

const EMAIL = 'ana.lima@example.com'

async function main(): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  mkdirSync(IMAGES, { recursive: true })
  const closing: (() => void | Promise<void>)[] = []
  const service = await serveConsole({ after: (close) => void closing.push(close) })
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
  closing.push(() => browser.close())
  try {
    const first = await openBrowser(browser, LOOKS['light'])
    const { accountId } = await furnish(service, first, EMAIL)
    await makeOperator(service, EMAIL)
    const session = await first.context().storageState()
    for (const [look, options] of Object.entries(LOOKS)) {
      const page = await openBrowser(browser, { ...options, storageState: session })
      for (const screen of CONSOLE_SCREENS) {
        await page.goto(service.app.identity.issuer + screen.replace('$accountId', accountId))
        await takeOne(page, `${IMAGES}/${nameOf(screen)}-${look}.png`)
      }
    }
  } finally {
    for (const close of closing.toReversed()) await close()
  }
}

async function openBrowser(
  browser: Browser,
  options: BrowserContextOptions | undefined,
): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW_MS)
  return page
}

async function takeOne(page: Page, path: string): Promise<void> {
  await settle(page)
  // Charts and figures settle within a frame or two.
  await page.waitForTimeout(150)
  await page.screenshot({ path })
  console.log(path)
}

/** "/console/operator/accounts/$accountId" is told apart from the list by its name alone. */
function nameOf(screen: string): string {
  const name = screen.replace('/console', '').replace('accounts/$accountId', 'account')
  return name === '' ? 'home' : name.slice(1).replaceAll('/', '-')
}

await main()
