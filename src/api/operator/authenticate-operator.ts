import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import { Fault } from '#platform/fault.ts'
import { readBearer } from '../http/read-bearer.ts'
import { createFailureCounter } from './count-failures.ts'

/** Of one address, within a minute; what fails beyond it is told to wait. */
const MAX_FAILURES = 10
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

export interface AuthenticateOperatorOptions {
  readonly operatorToken: string
  readonly clock: Clock
}

/**
 * Refuses a request without the operator's token, before its body is read. Only failures are counted
 * and only failures are told to wait: the right token is always taken, or whoever shares an address
 * with the operator, a proxy's for instance, could lock them out (docs/decisions/0007).
 */
export function createAuthenticateOperator({ operatorToken, clock }: AuthenticateOperatorOptions) {
  const expected = digest(operatorToken)
  const countFailure = createFailureCounter({
    clock,
    windowMs: WINDOW_MS,
    maxAddresses: MAX_ADDRESSES,
  })

  return async function authenticateOperator(request: FastifyRequest): Promise<void> {
    const given = readBearer(request.headers.authorization)
    // Digests are of one length and are compared in constant time.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return
    const { failures, untilEndS } = countFailure(request.ip)
    if (failures > MAX_FAILURES) throw refuseAttempts(request.ip, failures, untilEndS)
    throw new Fault(
      'invalid_operator_token',
      'The operator token is missing or wrong. Send it as "Authorization: Bearer <token>".',
    )
  }
}

/** Told to the log once a window, so that whoever guesses cannot fill it. */
function refuseAttempts(address: string, failures: number, retryAfterS: number): Fault {
  const isFirst = failures === MAX_FAILURES + 1
  return new Fault(
    'too_many_attempts',
    'The operator token is missing or wrong, as it was too often from this address. Wait, then send the right one.',
    {
      retryAfterS,
      ...(isFirst && { reason: `${failures} calls without the right token from ${address}` }),
    },
  )
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
