import type { FastifyError, FastifyReply } from 'fastify'
import { Fault } from '#platform/fault.ts'
import { isStoreUnavailable } from '#platform/store/index.ts'
import { FAULTS, type ErrorBody } from '../contract/index.ts'

export type PresentFault = (reply: FastifyReply, fault: Fault) => FastifyReply

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a route tells of a fault, where whoever reads it is a person. */
    presentFault?: PresentFault
  }
}

/** Whatever was thrown, as a fault; what nobody foresaw becomes a 500 that tells nothing. */
export function toFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const { code } = error as Partial<FastifyError>
  if (code === 'FST_ERR_BAD_URL') {
    return new Fault('not_found', 'There is nothing at this address.')
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Fault('invalid_request', 'body: is larger than this address takes')
  }
  // Without the store nobody can be told from a stranger, and nothing can be booked: fail closed.
  if (isStoreUnavailable(error)) {
    return new Fault(
      'model_unavailable',
      'The service cannot reach its store; try again shortly.',
      {
        reason: 'the store is away',
        cause: error,
      },
    )
  }
  return new Fault('internal_error', 'The service failed in a way that it did not expect.', {
    cause: error,
  })
}

/** The one place where a fault becomes HTTP. */
export function sendFault(
  reply: FastifyReply,
  fault: Fault,
  presentFault = reply.request.routeOptions.config.presentFault,
): FastifyReply {
  reply.request.faultCode = fault.code
  reply.request.faultReason = fault.reason
  if (presentFault) return presentFault(reply, fault)
  const body: ErrorBody = { error: { code: fault.code, message: fault.message } }
  if (fault.retryAfterS !== undefined) {
    body.error.retry_after = fault.retryAfterS
    reply.header('retry-after', fault.retryAfterS)
  }
  return reply
    .code(FAULTS[fault.code].status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}
