import type { Config } from '#config.ts'
import { ask, readObject } from './ask.ts'

/** What answers where the service should listen. */
export type RunningService =
  | { readonly kind: 'running'; readonly version: string; readonly origin: string }
  | { readonly kind: 'absent'; readonly origin: string; readonly reason: string }
  /** Something listens there, and is not Parley. */
  | { readonly kind: 'stranger'; readonly origin: string; readonly reason: string }

/** Asks on this machine, past whatever proxy stands before the service. */
export async function findService(
  { host, port }: Pick<Config, 'host' | 'port'>,
  timeoutMs: number,
): Promise<RunningService> {
  const origin = describeOrigin(host, port)
  const answer = await ask(`${origin}/v1/openapi.json`, { timeoutMs })
  if (answer.kind === 'failed') {
    const { reason } = answer
    const isFree = /ECONNREFUSED|ENOTFOUND|EADDRNOTAVAIL/.test(reason)
    return { kind: isFree ? 'absent' : 'stranger', origin, reason }
  }
  const version = readVersion(answer.text)
  if (version !== undefined) return { kind: 'running', version, origin }
  return { kind: 'stranger', origin, reason: `HTTP ${answer.status}` }
}

const OWN_ADDRESSES = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** What listens on all addresses is asked on this machine's own. */
export function describeOrigin(host: string, port: number): string {
  const name = OWN_ADDRESSES.get(host) ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Undefined where it is not Parley's document. */
export function readVersion(text: string): string | undefined {
  const document = readObject<{ info?: { version?: unknown }; paths?: object }>(text)
  const isOurs = document?.paths !== undefined && '/v1/chat/{brand}' in document.paths
  const version = isOurs ? document.info?.version : undefined
  return typeof version === 'string' ? version : undefined
}
