import assert from 'node:assert/strict'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from 'playwright-core'
import type { Scope } from '../service.ts'
import { findChromium, NO_CHROMIUM } from './find-chromium.ts'

/** Where no browser is, tests that need one are passed over with this reason; not where CI runs. */
export const SKIP: string | false =
  findChromium() === undefined && process.env['CI'] !== 'true' ? NO_CHROMIUM : false

const TIMEOUT_MS = 10_000

/** A real browser, which is closed when the file has ended; undefined where tests are passed over. */
export async function openBrowser(scope: Scope): Promise<Browser> {
  const executablePath = findChromium()
  assert.ok(executablePath, NO_CHROMIUM)
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] })
  scope.after(() => browser.close())
  return browser
}

let visitors = 0

/** A visitor with nothing in their browser, and an address of their own: limits go by addresses. */
export async function openVisit(
  scope: Scope,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  visitors += 1
  const context = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { 'x-forwarded-for': `10.0.${visitors >> 8}.${visitors & 255}` },
    ...options,
  })
  context.setDefaultTimeout(TIMEOUT_MS)
  scope.after(() => context.close())
  return context
}
