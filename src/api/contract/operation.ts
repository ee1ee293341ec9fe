import type { TObject, TSchema } from 'typebox'
import type { FaultCode } from '#platform/fault.ts'
import type { Right } from '#accounts/index.ts'
import type { Deprecation } from './deprecations.ts'

/** A right in the account that the address names; "self" for what is about who asks, whatever their accounts. */
export type Need = Right | 'self'

/** One operation of an HTTP surface, declared once: routes and the OpenAPI document come of it. */
export interface Operation {
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** As OpenAPI writes it: "/v1/chat/{brand}". */
  readonly path: string
  readonly tag: 'chat' | 'console' | 'models' | 'operator' | 'service'
  readonly summary: string
  readonly description?: string
  readonly auth: 'api_key' | 'operator_token' | 'session' | 'none'
  /** What it takes beside a session: on all operations that take one, and on no others. */
  readonly need?: Need
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: { readonly schema: TSchema; readonly examples: Examples }
  readonly replies: Readonly<Record<number, SuccessReply>>
  /** Every code that it can answer with, besides those that any operation can. */
  readonly faults: readonly FaultCode[]
  readonly headers: readonly HeaderName[]
  /** Only where it has been announced that it will go. */
  readonly deprecation?: Deprecation
}

export type Examples = Readonly<Record<string, unknown>>

export interface SuccessReply {
  readonly description: string
  readonly content: readonly ReplyContent[]
}

export interface ReplyContent {
  readonly type: 'application/json' | 'text/event-stream'
  /** For an event stream: what each `data:` line carries. */
  readonly schema: TSchema
  readonly examples: Examples
}

export const HEADERS = {
  'x-request-id': {
    description: 'Identifies the request for support; log it.',
    schema: { type: 'string' },
    example: 'req_019e3a52c1f07a30b1c5d2e8f4a96b70',
  },
  link: {
    description: 'Where the version policy is (`rel="service-doc"`).',
    schema: { type: 'string' },
    example: '<https://api.example.com/docs/versioning>; rel="service-doc"',
  },
  deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745); only where it is.',
    schema: { type: 'string' },
    example: '@1798761600',
  },
  sunset: {
    description: 'When the operation goes (RFC 8594); only where that is decided.',
    schema: { type: 'string' },
    example: 'Fri, 01 Jan 2027 00:00:00 GMT',
  },
  'ratelimit-policy': {
    description: "The tier's quotas, requests and tokens, a list of strings (RFC 9651).",
    schema: { type: 'string' },
    example: '"requests";q=10;w=60;qu="requests", "tokens";q=10000;w=60;qu="tokens"',
  },
  ratelimit: {
    description:
      "What is left and the seconds to the reset. A snapshot; a stream's includes its reservation.",
    schema: { type: 'string' },
    example: '"requests";r=9;t=60, "tokens";r=9400;t=60',
  },
  'x-ratelimit-limit': {
    description: 'Requests a minute.',
    schema: { type: 'integer', minimum: 1 },
    example: 10,
  },
  'x-ratelimit-remaining': {
    description: 'Requests left in the window.',
    schema: { type: 'integer', minimum: 0 },
    example: 9,
  },
  'x-ratelimit-reset': {
    description: 'When the request window resets, in Unix seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 1795219260,
  },
  'retry-after': {
    description: 'Seconds to wait, on 429 only.',
    schema: { type: 'integer', minimum: 1 },
    example: 60,
  },
} as const

export type HeaderName = keyof typeof HEADERS

export const RATE_LIMIT_HEADERS: readonly HeaderName[] = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]
