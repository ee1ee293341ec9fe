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

/** All that this client throws, but for what a signal of the caller's own aborts with. */
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

  constructor(
    message: string,
    told: {
      readonly status: number
      readonly code: string
      readonly requestId: string | undefined
      readonly retryAfter: number | undefined
    },
  ) {
    super(message, told.requestId)
    this.status = told.status
    this.code = told.code
    this.retryAfter = told.retryAfter
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
  override readonly name = 'ConnectionError'
}

/** Reads a refusal: the contract's error body, or whatever a proxy has put in its place. */
export async function readRefusal(response: Response): Promise<RefusedError> {
  const { status, headers } = response
  const body: unknown = await response.json().catch(() => undefined)
  const { error } = (body ?? {}) as { readonly error?: Readonly<Record<string, unknown>> }
  const code = typeof error?.['code'] === 'string' ? error['code'] : ''
  const message =
    typeof error?.['message'] === 'string' ? error['message'] : `The answer was ${status}.`
  const requestId = headers.get('x-request-id') ?? undefined
  const told = { status, code, requestId, retryAfter: readRetryAfter(headers) }
  if (status === 401) return new InvalidKeyError(message, told)
  if (status === 402) return new InsufficientBalanceError(message, told)
  if (status === 429) return new LimitedError(message, told)
  if (status >= 500) return new UnavailableError(message, told)
  if (status === 400 || status === 404) return new InvalidRequestError(message, told)
  return new RefusedError(message, told)
}

/** Our service writes whole seconds; a date of a proxy's is not waited for. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}
