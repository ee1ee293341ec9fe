import type { Words } from './languages.ts'

/** The first that fits: browsers name their elders as well. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Of what a browser says of itself; never that text itself, which can be anything. */
export interface Browser {
  readonly browser: string | undefined
  readonly system: string | undefined
}

export function readBrowser(userAgent: string | null): Browser {
  const find = (known: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return { browser: find(BROWSERS), system: find(SYSTEMS) }
}

/** "Firefox on Windows" */
export function describeBrowser(userAgent: string | null, { account }: Words): string {
  const { browser, system } = readBrowser(userAgent)
  if (browser === undefined) return system ?? account.otherBrowser
  return system === undefined ? browser : account.browserOn(browser, system)
}
