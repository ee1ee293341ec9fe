import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Doer } from '#accounts/index.ts'
import type { Identity, Session } from '#identity/index.ts'
import { readDoer } from '../http/read-doer.ts'
import { findSession } from '../identity/find-session.ts'
import { isFromOwnPage } from '../identity/is-from-own-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session it was sent with; null on routes that take no session. */
    session: Session | null
  }
}

/**
 * Refuses a request of nobody who is signed in, before its body is read. A browser sends the cookie
 * along whoever asks it to: what changes something must come from a page of ours besides.
 */
export function createAuthenticateSession(identity: Identity) {
  return async function authenticateSession(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    reply.header('cache-control', 'no-store')
    const session = await findSession(identity, request, reply)
    if (!session) throw new Fault('not_signed_in', 'Nobody is signed in. Sign in first.')
    const isSafe = request.method === 'GET' || request.method === 'HEAD'
    if (!isSafe && !isFromOwnPage(request, identity.issuer)) {
      throw new Fault('foreign_origin', 'Must be sent by a page of this service (Origin).')
    }
    request.session = session
    // What room there is for bodies is shared by person.
    request.caller = session.personId
  }
}

/** The session of a request that has passed the above. */
export function sessionOf({ session }: FastifyRequest): Session {
  if (!session) throw new Error('the route does not ask for a session')
  return session
}

/** Who asks, and from where, for what is written down of it. */
export function doerOf(request: FastifyRequest): Doer {
  return readDoer(request, sessionOf(request).personId, 'person')
}
