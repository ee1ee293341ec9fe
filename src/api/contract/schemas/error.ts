import { Type, type Static } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'

/** One table maps faults to HTTP: the status of each code, and when it is met. */
export const FAULTS: Readonly<Record<FaultCode, { status: number; when: string }>> = {
  invalid_request: {
    status: 400,
    when: 'The request failed validation; the message begins with the path of the first invalid field.',
  },
  tools_unsupported: { status: 400, when: '`tools` sent to a model that does not accept them.' },
  invalid_api_key: { status: 401, when: 'The API key is missing, malformed, expired or revoked.' },
  invalid_operator_token: {
    status: 401,
    when: 'The operator token is missing or wrong, and no session stands in for it.',
  },
  not_an_operator: {
    status: 403,
    when: 'Who is signed in is no operator, or not any more.',
  },
  not_permitted: {
    status: 403,
    when: 'The role of who is signed in does not allow it in this account.',
  },
  not_signed_in: { status: 401, when: 'Nobody is signed in in the browser that asks.' },
  insufficient_balance: {
    status: 402,
    when: 'The free balance is less than the request can cost: top up, or lower `max_tokens`.',
  },
  foreign_origin: {
    status: 403,
    when: "A browser's request that changes something was not sent by a page of this service.",
  },
  sign_in_again: {
    status: 403,
    when: 'It takes a sign-in that is at most ten minutes old.',
  },
  wrong_password: { status: 403, when: 'The password is missing or wrong.' },
  unknown_model: { status: 404, when: '`brand` is not `air`, `prime` or `nova`.' },
  not_found: { status: 404, when: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, when: 'The address is known, this method of it is not.' },
  conflict: { status: 409, when: 'The request contradicts what is there already.' },
  rate_limit_rpm: { status: 429, when: "Requests a minute are above the tier's." },
  rate_limit_tpm: { status: 429, when: "Tokens a minute are above the tier's." },
  daily_spend_limit_reached: {
    status: 429,
    when: 'A daily ceiling set in the console is reached, the account’s or the key’s; it resets at midnight UTC.',
  },
  too_many_attempts: {
    status: 429,
    when: 'A credential was wrong too often, too many checkouts were opened, or one’s data was downloaded too often. From the operator the right token is still taken.',
  },
  internal_error: { status: 500, when: 'The service failed in a way that it did not expect.' },
  upstream_error: { status: 502, when: 'The model provider failed.' },
  model_unavailable: { status: 503, when: 'The model is temporarily unavailable.' },
}

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.String({ description: 'Stable and machine-readable: branch on it.' }),
        message: Type.String({ description: 'For people; may change without notice.' }),
        retry_after: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Seconds to wait before a retry; with every 429, equal to Retry-After.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'Error', additionalProperties: false },
)
export type ErrorBody = Static<typeof ErrorBody>
