import { readConnectionError } from '../read-connection-error.ts'
import { readRetryAfter } from '../read-retry-after.ts'
import type { UpstreamFailure } from '../upstream.ts'

/** How these providers say that a prompt is too long: Anthropic, Google, and models of Bedrock. */
const OVERFLOW =
  /prompt is too long|exceed(s)? (the )?context (limit|window)|input token count.{0,40}exceeds|input is too long|too many (input )?tokens|context_length_exceeded|maximum context length/i

/** What the packages' errors have, as far as we read them. Their messages can quote content. */
interface ProviderError {
  readonly name?: unknown
  readonly message?: unknown
  readonly code?: unknown
  readonly cause?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
}

/** What a provider's package threw, or sent in place of a part. `begun`: some of the reply had come. */
export function readProviderFailure(error: unknown, begun: boolean): UpstreamFailure {
  const { statusCode, responseHeaders, responseBody, message, name } = (error ??
    {}) as ProviderError
  const said = `${String(message)} ${typeof responseBody === 'string' ? responseBody : ''}`
  if (typeof statusCode === 'number') {
    const headers = (responseHeaders ?? {}) as Readonly<Record<string, string>>
    return { ...readStatus(statusCode, said), ...readRetryAfter(statusCode, headers) }
  }
  const connection = findConnectionError(error)
  if (connection) return readConnectionError(connection, begun)
  if (OVERFLOW.test(said)) return { kind: 'context_overflow', reason: 'an error event' }
  // An event that is not what it should be, or a bug: by its name only.
  return { kind: 'malformed', reason: `the provider's package: ${String(name)}` }
}

function readStatus(status: number, said: string): UpstreamFailure {
  const reason = `it answered with status ${status}`
  // 424: a model of Bedrock failed within its reply.
  if (status === 429 || status === 408 || status === 424 || status >= 500) {
    return { kind: 'overloaded', reason }
  }
  if (status === 413 || OVERFLOW.test(said)) {
    return { kind: 'context_overflow', reason: `status ${status}` }
  }
  return { kind: status >= 400 ? 'rejected' : 'malformed', reason }
}

const MAX_CAUSES = 8

/** The error of the connection, whatever it was wrapped in. */
function findConnectionError(error: unknown): Error | undefined {
  let current = error
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (typeof (current as ProviderError).code === 'string') return current
    current = current.cause
  }
  return undefined
}
