import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '#platform/clock.ts'
import { Fault, type FaultCode } from '#platform/fault.ts'
import type { Actor } from '#accounts/index.ts'
import { hasSessionCookie, type Identity } from '#identity/index.ts'
import { findSession } from '../identity/find-session.ts'
import { readBearer } from '../http/read-bearer.ts'
import { readDoer } from '../http/read-doer.ts'
import { createFailureCounter } from './count-failures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who does what an operator asks for, as the audit log names them. */
    actor: Actor
  }
}

/** Of one address, within a minute; what fails beyond it is told to wait. */
const MAX_FAILURES = 10
const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Who the audit log says it was, where the operator's token is all that is known. */
const TOKEN_ACTOR = 'operator'

export interface AuthenticateOperatorOptions {
  readonly operatorToken: string
  readonly identity: Identity
  readonly clock: Clock
}

type Outcome =
  | { readonly kind: 'known'; readonly actorId: string }
  | { readonly kind: 'refused'; readonly code: FaultCode; readonly sentence: string }

/**
 * Refuses a request that is no operator's, before its body is read: what has neither the operator's
 * token nor the session of a person who is an operator now. Only failures are counted and only failures
 * are told to wait: the right credentials are always taken, or whoever shares an address with the
 * operator, a proxy's for instance, could lock them out (docs/decisions/0007).
 */
export function createAuthenticateOperator(options: AuthenticateOperatorOptions) {
  const { operatorToken, identity, clock } = options
  const expected = digest(operatorToken)
  const countFailure = createFailureCounter({
    clock,
    windowMs: WINDOW_MS,
    maxAddresses: MAX_ADDRESSES,
  })

  async function authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Outcome> {
    const { authorization, cookie } = request.headers
    // A request that has a token is judged by it alone, whatever else it brings.
    if (authorization === undefined && hasSessionCookie(cookie)) {
      return authenticateSession(request, reply, identity)
    }
    const given = readBearer(authorization)
    // Digests are of one length and are compared in constant time.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) {
      return { kind: 'known', actorId: TOKEN_ACTOR }
    }
    return WRONG_TOKEN
  }

  return async function authenticateOperator(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const outcome = await authenticate(request, reply)
    if (outcome.kind === 'known') {
      request.actor = readDoer(request, outcome.actorId, 'operator')
      return
    }
    const { failures, untilEndS } = countFailure(request.ip)
    if (failures > MAX_FAILURES) throw refuseAttempts(request.ip, failures, untilEndS)
    throw new Fault(outcome.code, outcome.sentence)
  }
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])

const WRONG_TOKEN = {
  kind: 'refused',
  code: 'invalid_operator_token',
  sentence: 'The operator token is missing or wrong. Send it as "Authorization: Bearer <token>".',
} as const

/** Whose session it is, and what they are, is read each time: who is demoted is refused at once. */
async function authenticateSession(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
): Promise<Outcome> {
  if (!SAFE_METHODS.has(request.method) && request.headers.origin !== identity.issuer) {
    return {
      kind: 'refused',
      code: 'invalid_operator_token',
      sentence: 'A session counts only for what our own pages send: send the operator token.',
    }
  }
  const session = await findSession(identity, request, reply)
  if (!session) return WRONG_TOKEN
  if (session.role === 'operator') return { kind: 'known', actorId: session.personId }
  return {
    kind: 'refused',
    code: 'not_an_operator',
    sentence: 'You are signed in, but are no operator: ask one to make you one.',
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
