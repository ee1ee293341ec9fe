import type { FastifyReply } from 'fastify'
import type { Allowance } from '#gate/index.ts'

const WINDOW_S = 60

/** The five headers of every authenticated reply (draft-ietf-httpapi-ratelimit-headers, RFC 9651). */
export function setRateLimitHeaders(reply: FastifyReply, allowance: Allowance): void {
  const { tier, requestsLeft, tokensLeft, resetMs, resetS } = allowance
  const { requestsPerMinute, tokensPerMinute } = tier
  reply.header(
    'ratelimit-policy',
    `"requests";q=${requestsPerMinute};w=${WINDOW_S};qu="requests", ` +
      `"tokens";q=${tokensPerMinute};w=${WINDOW_S};qu="tokens"`,
  )
  reply.header(
    'ratelimit',
    `"requests";r=${requestsLeft};t=${resetS}, "tokens";r=${tokensLeft};t=${resetS}`,
  )
  reply.header('x-ratelimit-limit', requestsPerMinute)
  reply.header('x-ratelimit-remaining', requestsLeft)
  reply.header('x-ratelimit-reset', Math.ceil(resetMs / 1000))
}
