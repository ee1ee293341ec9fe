import type { Session } from './sessions-query.ts'

export interface BrowserWords {
  readonly otherBrowser: string
  readonly browserOn: (browser: string, system: string) => string
}

/** "Firefox on Windows", as far as the service knows it. */
export function describeBrowser(
  { browser, system }: Pick<Session, 'browser' | 'system'>,
  words: BrowserWords,
): string {
  if (browser === null) return system ?? words.otherBrowser
  return system === null ? browser : words.browserOn(browser, system)
}
