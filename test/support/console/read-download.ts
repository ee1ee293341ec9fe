import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

export interface Downloaded {
  readonly name: string
  readonly text: string
}

/** What the browser keeps when something is pressed. */
export async function readDownload(page: Page, press: () => Promise<void>): Promise<Downloaded> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}
