import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#platform/fault.ts'
import type { Plan } from '#accounts/index.ts'
import type { Identity, SessionEntry } from '#identity/index.ts'
import type { SessionItem, SignedInPerson } from '../contract/index.ts'
import { readBrowser } from '../identity/pages/describe-browser.ts'
import { doerOf, sessionOf } from './authenticate-session.ts'
import { refuseUnconfirmed } from './refuse-unconfirmed.ts'

/** What a person sees and does about who they are, and where they are signed in. */
export function createPersonHandlers(identity: Identity) {
  return {
    async getMyself(request: FastifyRequest) {
      const { personId, ...person } = sessionOf(request)
      const { people } = await identity.load()
      return {
        id: personId,
        email: person.email,
        name: person.name,
        picture: person.picture,
        plan: person.plan as Plan,
        role: person.role,
        two_factor: person.twoFactorEnabled,
        has_password: await people.hasPassword(personId),
        created_at: person.createdAtMs,
      } satisfies SignedInPerson
    },
    async removeMyself(request: FastifyRequest, reply: FastifyReply) {
      const { people } = await identity.load()
      const { headers, body } = request
      const { password } = body as { readonly password?: string | null }
      refuseUnconfirmed(
        await people.remove(sessionOf(request), {
          password: password ?? undefined,
          headers,
          actor: doerOf(request),
        }),
      )
      return reply.code(204).send()
    },
    async listSessions(request: FastifyRequest) {
      const { people } = await identity.load()
      const { id, personId } = sessionOf(request)
      const entries = await people.sessions.list(personId)
      return { data: entries.map((entry) => writeSession(entry, id)) }
    },
    async endSession(request: FastifyRequest, reply: FastifyReply) {
      const { people } = await identity.load()
      const { session_id: sessionId } = request.params as { session_id: string }
      if (!(await people.sessions.end(sessionOf(request).personId, sessionId, doerOf(request)))) {
        throw new Fault('not_found', 'There is no session with this id.')
      }
      return reply.code(204).send()
    },
    async endOtherSessions(request: FastifyRequest, reply: FastifyReply) {
      const { people } = await identity.load()
      const { id, personId } = sessionOf(request)
      await people.sessions.endOthers(personId, id, doerOf(request))
      return reply.code(204).send()
    },
  }
}

function writeSession(entry: SessionEntry, currentId: string): SessionItem {
  const { browser, system } = readBrowser(entry.userAgent)
  return {
    id: entry.id,
    created_at: entry.createdAtMs,
    last_used_at: entry.usedAtMs,
    user_agent: entry.userAgent,
    browser: browser ?? null,
    system: system ?? null,
    address: entry.address,
    current: entry.id === currentId,
  }
}
