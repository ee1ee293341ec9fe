import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESSES, DISCOVERY, RESOURCE_METADATA } from '#identity/index.ts'
import type { IdentityApiOptions } from './identity-api.ts'

/** What the provider answers itself. */
const ROUTES = [
  { methods: ['GET', 'POST'], url: ADDRESSES.authorization },
  { methods: ['GET'], url: `${ADDRESSES.authorization}/:uid` },
  { methods: ['POST', 'OPTIONS'], url: ADDRESSES.token },
  { methods: ['GET', 'POST', 'OPTIONS'], url: ADDRESSES.userinfo },
  { methods: ['GET', 'OPTIONS'], url: ADDRESSES.jwks },
  { methods: ['POST', 'OPTIONS'], url: ADDRESSES.revocation },
  { methods: ['GET', 'OPTIONS'], url: DISCOVERY },
]

/** The OpenID provider's addresses, and the description of its protected resource (RFC 9728). */
export function registerOpenId(server: FastifyInstance, { identity }: IdentityApiOptions): void {
  void server.register(async (scope) => {
    // The provider reads bodies itself, and bounds them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { openId } = await identity.load()
      restoreType(request)
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      reply.hijack()
      await openId.handle(request.raw, reply.raw)
    }
    for (const { methods, url } of ROUTES) scope.route({ method: methods, url, handler })
  })

  const { issuer } = identity
  const resource = {
    resource: issuer + ADDRESSES.userinfo,
    authorization_servers: [issuer],
    scopes_supported: ['openid', 'profile', 'email', 'plano'],
    bearer_methods_supported: ['header', 'body'],
    resource_name: 'UserInfo',
  }
  for (const url of [RESOURCE_METADATA, '/.well-known/oauth-protected-resource']) {
    server.get(url, (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .send(resource),
    )
  }
}

/** The server keeps the type of a body aside from Fastify; the provider reads it where it belongs. */
function restoreType({ raw, sentType }: FastifyRequest): void {
  if (sentType === undefined) delete raw.headers['content-type']
  else raw.headers['content-type'] = sentType
}
