import type { Words } from './languages.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Where an app's address leads, as its reader can judge it: its host, or the kind of place it is. */
export function describeDestination(redirectUri: string, consent: Words['consent']): string {
  const url = URL.parse(redirectUri)
  if (!url) return redirectUri
  const { protocol, hostname, host } = url
  if (protocol !== 'https:' && protocol !== 'http:') {
    return consent.thisDevice(protocol.slice(0, -1))
  }
  return LOOPBACK.test(hostname) ? consent.thisComputer : host
}
