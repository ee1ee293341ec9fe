import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** What is asked of a page; in the dark nothing else than its colours is another. */
const RULES = {
  light: TAGS,
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const

type Scheme = keyof typeof RULES

/** A translation has the same colours as what it was made from, and other words: light will do. */
export const SCHEMES = { en: ['light', 'dark'], pt: ['light'] } as const

const SIZES = { phone: { width: 320, height: 640 }, desktop: { width: 1_280, height: 800 } }

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** WCAG 2.2 AA, as far as axe can tell, light and dark, on a phone and on a desk; and nothing sticks out. */
export async function assertAccessible(
  page: Page,
  what: string,
  schemes: readonly Scheme[] = SCHEMES.en,
): Promise<void> {
  await page.evaluate(AXE)
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    const sticksOut = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    assert.equal(sticksOut, false, `${what}: scrolls sideways, ${size}`)
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const options = { runOnly: RULES[colorScheme], resultTypes: ['violations'] }
      const run = `axe.run(${JSON.stringify(options)})`
      const { violations } = await page.evaluate<{ violations: Violation[] }>(run)
      const told = violations.map(({ id, help, nodes }) => [
        id,
        help,
        nodes.map((one) => one.html + one.failureSummary),
      ])
      assert.deepEqual(told, [], `${what}, ${size}, ${colorScheme}`)
    }
  }
}
