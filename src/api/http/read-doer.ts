import type { FastifyRequest } from 'fastify'
import type { Doer } from '#accounts/index.ts'

/** Who a request is from and where, for the audit log. */
export function readDoer(request: FastifyRequest, id: string, as: 'person' | 'operator'): Doer {
  return { id, as, address: request.ip, userAgent: request.headers['user-agent'] ?? null }
}
