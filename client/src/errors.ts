import { readLimits, type RateLimits } from './read-limits.ts'
import type { TimeLimit } from './time-limit.ts'

/** What the service refuses a request for. Others may come within v1: branch on those that you know. */
export type ErrorCode =
  | 'invalid_request'
  | 'tools_unsupported'
  | 'invalid_api_key'
  | 'insufficient_balance'
  | 'unknown_model'
  | 'not_found'
  | 'method_not_allowed'
  | 'rate_limit_rpm'
  | 'rate_limit_tpm'
  | 'daily_spend_limit_reached'
  | 'internal_error'
  | 'upstream_error'
  | 'model_unavailable'

/** All that a call throws, but for what a signal of the caller's own aborts with. */
export class ParleyError extends Error {
  override readonly name: string = 'ParleyError'
  /** Name it when you ask for support; undefined where there was no answer. */
  readonly requestId: string | undefined

  constructor(message: string, requestId: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.requestId = requestId
  }
}

/** The service answered, and refused. */
export class RefusedError extends ParleyError {
  override readonly name: string = 'RefusedError'
  readonly status: number
  /** Stable: branch on it. Empty where something before the service has answered. */
  readonly code: ErrorCode | (string & {})
  /** Seconds to wait before another try, where the service said so. */
  readonly retryAfter: number | undefined
  readonly limits: RateLimits | undefined

  constructor(
    message: string,
    told: Pick<RefusedError, 'status' | 'code' | 'requestId' | 'retryAfter' | 'limits'>,
  ) {
    super(message, told.requestId)
    this.status = told.status
    this.code = told.code
    this.retryAfter = told.retryAfter
    this.limits = told.limits
  }
}

/** 401: the key is missing, malformed, expired or revoked. */
export class InvalidKeyError extends RefusedError {
  override readonly name = 'InvalidKeyError'
}

/** 402: the free balance is less than the request can cost. Top up, or lower `max_tokens`. */
export class InsufficientBalanceError extends RefusedError {
  override readonly name = 'InsufficientBalanceError'
}

/** 429: too many requests or tokens a minute, or the day's ceiling is reached. */
export class LimitedError extends RefusedError {
  override readonly name = 'LimitedError'
}

/** 400 and 404: the same request will be refused again. */
export class InvalidRequestError extends RefusedError {
  override readonly name = 'InvalidRequestError'
}

/** 5xx: the service or the model's provider failed. */
export class UnavailableError extends RefusedError {
  override readonly name = 'UnavailableError'
}

/** There was no answer, or it broke off. What of a stream has come is paid, and is not asked for again. */
export class ConnectionError extends ParleyError {
  override readonly name: string = 'ConnectionError'
}

/** No connection came about, so nothing was asked for: the one lost connection that is tried again. */
export class UnreachableError extends ConnectionError {
  override readonly name = 'UnreachableError'
}

/** The service was silent for longer than `timeoutMs`. It may have been at work, so this is not tried again. */
export class TimedOutError extends ConnectionError {
  override readonly name = 'TimedOutError'
}

/** A success, and yet no reply: something else than Parley is at this address, or in between. */
export class UnexpectedAnswerError extends ParleyError {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number

  constructor({ status, headers }: Response) {
    const type = headers.get('content-type') ?? 'no content type'
    super(
      `The answer (${status}, ${type}) is no reply of Parley's. Is baseUrl right?`,
      headers.get('x-request-id') ?? undefined,
    )
    this.status = status
  }
}

/** What the caller aborted ends with the caller's own reason; what is no error of ours is a lost connection. */
export function lost(cause: unknown, limit: TimeLimit, requestId?: string): unknown {
  if (limit.isOver()) {
    const seconds = limit.limitMs / 1_000
    return new TimedOutError(`The service sent nothing for ${seconds} s.`, requestId, { cause })
  }
  if (limit.signal.aborted) return limit.signal.reason
  if (cause instanceof ParleyError) return cause
  const [told, code] = [describeCause(cause), readCode(cause)]
  if (NEVER_MADE.includes(code)) {
    return new UnreachableError(`The service cannot be reached${told}`, requestId, { cause })
  }
  const sentence =
    requestId === undefined
      ? 'The service did not answer'
      : 'The connection to the service broke off'
  return new ConnectionError(sentence + told, requestId, { cause })
}

/** What Node tells of a connection that was never made. Browsers do not tell it from one that was lost. */
const NEVER_MADE: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

interface Deeper {
  readonly cause?: { readonly code?: unknown; readonly message?: unknown }
}

function readCode(cause: unknown): unknown {
  return (cause as Deeper).cause?.code
}

/** Node tells why, as in ECONNREFUSED; browsers do not. */
function describeCause(cause: unknown): string {
  const why = readCode(cause) ?? (cause as Deeper).cause?.message
  return typeof why === 'string' ? ` (${why}).` : '.'
}

/** Reads a refusal: the contract's error body, or whatever a proxy has put in its place. */
export async function readRefusal(response: Response): Promise<RefusedError> {
  const { status, headers } = response
  const body: unknown = await response.json().catch(() => undefined)
  const { error } = (body ?? {}) as { readonly error?: Readonly<Record<string, unknown>> }
  const code = typeof error?.['code'] === 'string' ? error['code'] : ''
  const message =
    typeof error?.['message'] === 'string' ? error['message'] : describeAnswer(response)
  const requestId = headers.get('x-request-id') ?? undefined
  const [retryAfter, limits] = [readRetryAfter(headers), readLimits(headers)]
  const told = { status, code, requestId, retryAfter, limits }
  if (status === 401) return new InvalidKeyError(message, told)
  if (status === 402) return new InsufficientBalanceError(message, told)
  if (status === 429) return new LimitedError(message, told)
  if (status >= 500) return new UnavailableError(message, told)
  if (status === 400 || status === 404) return new InvalidRequestError(message, told)
  return new RefusedError(message, told)
}

function describeAnswer({ status, headers, type }: Response): string {
  // A browser tells of a redirect that it was one, and nothing else.
  if (type === 'opaqueredirect') return 'The answer was a redirect. Is baseUrl right?'
  const location = headers.get('location')
  if (location === null) return `The answer was ${status}.`
  return `The answer was ${status}, a redirect to ${location}. Is baseUrl right?`
}

/** Our service writes whole seconds; a date of a proxy's is not waited for. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
