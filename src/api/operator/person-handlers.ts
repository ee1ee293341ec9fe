import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Person, Persons, Role } from '#accounts/index.ts'
import type { Identity } from '#identity/index.ts'
import type { OperatorPerson, SignInLink } from '../contract/index.ts'
import { createPersonFinder, noSuchPerson } from './find-person.ts'
import { readPage, writePage, type PageQuery } from './pages.ts'

/** As long as it takes to send a link to somebody, and for them to follow it. */
const LINK_LIFETIME_S = 900

export interface PersonTools {
  readonly persons: Persons
  readonly identity: Identity
}

interface PersonQuery extends PageQuery {
  readonly email?: string
  readonly role?: Role
}

/** People: who they are to the operator, and what they are signed in to. */
export function createPersonHandlers({ persons, identity }: PersonTools) {
  const { findPerson, findPresent } = createPersonFinder(persons)
  return {
    async listPeople(request: FastifyRequest) {
      const { email, role, ...query } = request.query as PersonQuery
      const { before, limit } = readPage(query)
      const filter = {
        ...(email !== undefined && { email }),
        ...(role !== undefined && { role }),
        ...(before !== undefined && { before }),
      }
      const page = writePage(await persons.list(filter, limit + 1), limit, ({ id }) => id)
      return { ...page, data: page.data.map(writePerson) }
    },
    getPerson: async (request: FastifyRequest) => writePerson(await findPerson(request)),
    async updatePerson(request: FastifyRequest) {
      const person = await findPerson(request)
      const { role } = request.body as { role: Role }
      // What is so already is no deed to write down.
      if (person.role === role) return writePerson(person)
      const changed = await persons.setRole(person.id, role, request.actor)
      if (!changed) throw noSuchPerson()
      return writePerson(changed)
    },
    async signPersonOut(request: FastifyRequest, reply: FastifyReply) {
      const { id } = await findPerson(request)
      await identity.signOutEverywhere(id, request.actor)
      return reply.code(204).send()
    },
    async createSignInLink(request: FastifyRequest, reply: FastifyReply) {
      const person = await findPresent(request)
      const { expires_in_s: lifetimeS = LINK_LIFETIME_S, role } = request.body as LinkBody
      const wish = {
        personId: person.id,
        lifetimeMs: lifetimeS * 1_000,
        makesOperator: role === 'operator',
      }
      const { id, url, expiresAtMs } = await identity.signInLinks.make(wish, request.actor)
      return reply.code(201).send({ id, url, expires_at: expiresAtMs } satisfies SignInLink)
    },
  }
}

interface LinkBody {
  readonly expires_in_s?: number
  readonly role?: 'operator'
}

function writePerson(person: Person): OperatorPerson {
  return {
    id: person.id,
    email: person.email,
    email_verified: person.emailVerified,
    name: person.name,
    plan: person.plan,
    role: person.role,
    two_factor: person.twoFactorEnabled,
    created_at: person.createdAtMs,
  }
}
