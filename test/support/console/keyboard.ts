import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More stops than any screen has. */
const MAX_STOPS = 80

/** What is seen of whatever has the focus. */
interface Focus {
  readonly name: string
  readonly isOutlined: boolean
  readonly isInSight: boolean
}

const READ_FOCUS = `(() => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { top, left, bottom, right } = element.getBoundingClientRect()
  return {
    name: element.outerHTML.slice(0, 200),
    isOutlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
    isInSight: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  }
})()`

/** Steps on until this has the focus; at each stop it has to be seen where one is. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press(key)
    if (await isOnPage(page)) await assertSeen(page)
    if (await hasFocus(page, target)) return
  }
  assert.fail(`the keyboard does not lead to ${String(target)}`)
}

/** Past the last stop the focus is the browser's for a moment. */
const isOnPage = (page: Page): Promise<boolean> =>
  page.evaluate('document.activeElement !== document.body')

async function assertSeen(page: Page): Promise<void> {
  const { name, isOutlined, isInSight } = await page.evaluate<Focus>(READ_FOCUS)
  assert.ok(isOutlined, `the focus is not seen: ${name}`)
  assert.ok(isInSight, `the focus is out of sight: ${name}`)
}

const focused = (page: Page, target: Locator): Locator => target.and(page.locator(':focus'))

export async function hasFocus(page: Page, target: Locator): Promise<boolean> {
  return (await focused(page, target).count()) > 0
}

/** Waits until this has the focus: it may come back only after what took it has gone. */
export async function waitForFocus(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  await focused(page, target)
    .waitFor()
    .catch(async () => {
      const { name } = await page.evaluate<Focus>(READ_FOCUS)
      assert.fail(`${String(target)} has not the focus, but ${name}`)
    })
}

/** What had the focus has gone: reading must not begin at the top of the page again. */
export async function assertFocusKept(page: Page): Promise<void> {
  await page.locator(':focus').waitFor()
}
