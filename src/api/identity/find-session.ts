import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity, Session } from '#identity/index.ts'

/** Whose session a request has. Where it goes on for longer, the reply brings its cookie anew. */
export async function findSession(
  identity: Identity,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  // Nothing heavy is loaded for who has no cookie.
  if (headers.cookie === undefined) return undefined
  const { people } = await identity.load()
  return people.findSession(headers, (cookie) => {
    reply.header('set-cookie', cookie)
  })
}
