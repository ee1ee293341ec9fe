import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESSES, DISCOVERY, OAUTH_DISCOVERY, RESOURCE_METADATA } from '#identity/index.ts'
import type { IdentityApiOptions } from './identity-api.ts'
import { sendOpenIdError } from './pages/send-open-id-error.ts'

/** What the provider answers itself. */
const ROUTES = [
  { methods: ['GET'], url: ADDRESSES.authorization },
  { methods: ['GET'], url: `${ADDRESSES.authorization}/:uid` },
  { methods: ['POST', 'OPTIONS'], url: ADDRESSES.token },
  { methods: ['GET', 'POST', 'OPTIONS'], url: ADDRESSES.userinfo },
  { methods: ['GET', 'OPTIONS'], url: ADDRESSES.jwks },
  { methods: ['POST', 'OPTIONS'], url: ADDRESSES.revocation },
  { methods: ['GET', 'OPTIONS'], url: DISCOVERY },
  { methods: ['GET', 'OPTIONS'], url: OAUTH_DISCOVERY },
]

/** As an address it must still fit the head of a request. */
const MAX_FORM_BYTES = 8 * 1_024

/** The OpenID provider's addresses, and the description of its protected resource (RFC 9728). */
export function registerOpenId(server: FastifyInstance, options: IdentityApiOptions): void {
  const { identity } = options
  void server.register(async (scope) => {
    // The provider reads bodies itself, and bounds them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { openId } = await identity.load()
      restoreType(request)
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      const problem = await openId.handle(request.raw, reply.raw)
      // What is left of a body that it did not take stands before the connection's next request.
      if (!request.raw.complete) request.raw.resume()
      if (problem) return sendOpenIdError(reply, problem)
      return reply.hijack()
    }
    for (const { methods, url } of ROUTES) scope.route({ method: methods, url, handler })
  })
  void server.register(async (scope) => acceptForms(scope))
  describeResource(server, identity.issuer)
}

/**
 * Apps may send people here with a form as well (OpenID Connect Core, 3.1.2.1). Browsers leave our
 * cookies out of a form from elsewhere, and send them with the address that it then leads to.
 */
function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, body),
  )
  scope.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
    const description = 'the form is too large'
    return sendOpenIdError(reply, { status: 413, error: 'invalid_request', description })
  })
  scope.post(ADDRESSES.authorization, (request, reply) => {
    const isForm = /^application\/x-www-form-urlencoded *(;|$)/i.test(request.sentType ?? '')
    if (!isForm) {
      const description = 'only forms are taken here'
      return sendOpenIdError(reply, { status: 400, error: 'invalid_request', description })
    }
    const query = new URLSearchParams(String(request.body))
    return reply.redirect(`${ADDRESSES.authorization}?${query.toString()}`, 303)
  })
}

function describeResource(server: FastifyInstance, issuer: string): void {
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
