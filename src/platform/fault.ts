/** Every code that an error body of the HTTP surfaces can carry. Stable: clients branch on them. */
export type FaultCode =
  | 'invalid_request'
  | 'tools_unsupported'
  | 'invalid_api_key'
  | 'insufficient_balance'
  | 'unknown_model'
  | 'rate_limit_rpm'
  | 'rate_limit_tpm'
  | 'daily_spend_limit_reached'
  | 'upstream_error'
  | 'model_unavailable'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_operator_token'
  | 'not_an_operator'
  | 'not_permitted'
  | 'not_signed_in'
  | 'foreign_origin'
  | 'sign_in_again'
  | 'wrong_password'
  | 'too_many_attempts'
  | 'conflict'
  | 'internal_error'

export interface FaultDetails {
  /** For our log alone; never sent to a caller, never any content of a conversation. */
  readonly reason?: string
  readonly cause?: unknown
  /** Seconds to wait before a retry; sent with every 429. */
  readonly retryAfterS?: number
}

/** A refusal that ends the request: a stable code, a public sentence, and a private reason. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly reason: string | undefined
  readonly retryAfterS: number | undefined

  constructor(code: FaultCode, sentence: string, details: FaultDetails = {}) {
    super(sentence, 'cause' in details ? { cause: details.cause } : undefined)
    this.name = 'Fault'
    this.code = code
    this.reason = details.reason
    this.retryAfterS = details.retryAfterS
  }
}
