import { isIP } from 'node:net'

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Whether what is sent there stays on this machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || isLoopbackV4(host)
}

function isLoopbackV4(host: string): boolean {
  return isIP(host) === 4 && host.startsWith('127.')
}
