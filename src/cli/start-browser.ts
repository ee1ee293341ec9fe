import { spawn } from 'node:child_process'

/** What opens an address in the person's browser; each takes it as one argument, and no shell reads it. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...first: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Tries to. Where there is no browser, nothing happens: the person has the address. */
export function startBrowser(url: string, platform: string): void {
  const [command, ...first] = OPENERS[platform] ?? ['xdg-open']
  const child = spawn(command, [...first, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
