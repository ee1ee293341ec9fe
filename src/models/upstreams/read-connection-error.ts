import type { UpstreamFailure } from './upstream.ts'

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

/** What a failure of the connection means. Only its code is kept: messages can quote content. */
export function readConnectionError(error: Error, begun: boolean): UpstreamFailure {
  const code = (error as Error & { code?: unknown }).code
  const reason = `connection: ${typeof code === 'string' ? code : error.name}`
  if (typeof code === 'string' && TIMEOUT_CODES.has(code)) return { kind: 'timeout', reason }
  return { kind: begun ? 'malformed' : 'unreachable', reason }
}
