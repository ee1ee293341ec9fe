import assert from 'node:assert/strict'
import type { FaultCode } from '#platform/fault.ts'
import type { Answer } from './call.ts'

const STATUSES: Readonly<Record<string, number>> = {
  invalid_request: 400,
  tools_unsupported: 400,
  invalid_api_key: 401,
  invalid_operator_token: 401,
  not_an_operator: 403,
  not_permitted: 403,
  not_signed_in: 401,
  insufficient_balance: 402,
  foreign_origin: 403,
  sign_in_again: 403,
  wrong_password: 403,
  unknown_model: 404,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  rate_limit_rpm: 429,
  rate_limit_tpm: 429,
  daily_spend_limit_reached: 429,
  too_many_attempts: 429,
  internal_error: 500,
  upstream_error: 502,
  model_unavailable: 503,
}

/**
 * Holds a refusal against the contract: its code with the status that belongs to it, a sentence, and
 * `retry_after`, equal to Retry-After and at least 1, on 429 and nowhere else. Returns the sentence.
 */
export function assertRefused(answer: Answer, code: FaultCode): string {
  assert.equal(answer.json.error.code, code, answer.text)
  assert.equal(answer.status, STATUSES[code])
  const { error, ...others } = answer.json
  assert.deepEqual(others, {})
  const names = ['code', 'message', ...(answer.status === 429 ? ['retry_after'] : [])]
  assert.deepEqual(Object.keys(error), names)
  const retryAfter = answer.headers.get('retry-after')
  if (answer.status === 429) {
    assert.match(String(retryAfter), /^[1-9]\d*$/)
    assert.equal(error.retry_after, Number(retryAfter))
  } else {
    assert.equal(retryAfter, null)
  }
  assert.match(error.message, /\S/)
  return error.message
}
