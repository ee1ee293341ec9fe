import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ADDRESSES, DISCOVERY, OAUTH_DISCOVERY, RESOURCE_METADATA } from './addresses.ts'
import type { TellProblem } from './authorization-problem.ts'
import type { FindSignedIn } from './signed-in.ts'

export interface ProviderGuards {
  readonly issuer: string
  readonly findSignedIn: FindSignedIn
  readonly tellProblem: TellProblem
}

/** Puts our rules around the provider's own. */
export function guardProvider(provider: Provider, guards: ProviderGuards): void {
  const { issuer, findSignedIn, tellProblem } = guards
  provider.use(async (context: KoaContextWithOIDC, next) => {
    switch (context.path) {
      case ADDRESSES.authorization:
        refuseResponseMode(context)
        await dropForeignSession(provider, context, findSignedIn)
        await next()
        break
      case ADDRESSES.userinfo:
        normaliseToken(context)
        await next()
        challenge(context, issuer)
        break
      case DISCOVERY:
      case OAUTH_DISCOVERY:
        await next()
        describeModes(context)
        break
      default:
        await next()
    }
    replaceHtml(context, tellProblem)
  })
}

/**
 * Only `query` is left of the modes that the provider has: another one answers with a page that
 * submits itself, which our policy for scripts forbids, and no code flow needs any.
 */
function refuseResponseMode(context: KoaContextWithOIDC): void {
  const { response_mode: mode } = context.query
  if (mode === undefined || mode === 'query') return
  context.query = { ...context.query, response_mode: 'unsupported' }
}

/** The provider names all of its modes, whatever was refused. */
function describeModes(context: KoaContextWithOIDC): void {
  if (context.status !== 200) return
  context.body = { ...(context.body as object), response_modes_supported: ['query'] }
}

/** The provider's session outlives the sign-out; who is signed in is what our own session says. */
async function dropForeignSession(
  provider: Provider,
  context: KoaContextWithOIDC,
  findSignedIn: FindSignedIn,
): Promise<void> {
  const session = await provider.Session.get(context)
  if (session.accountId === undefined) return
  const signedIn = await findSignedIn(context)
  if (session.accountId !== signedIn?.personId) await session.destroy()
}

/** What is no bearer token is answered as a wrong one is, and never with a page. */
function normaliseToken({ req }: KoaContextWithOIDC): void {
  req.headers.accept = 'application/json'
  const { authorization } = req.headers
  if (authorization !== undefined && !/^Bearer \S+$/i.test(authorization)) {
    req.headers.authorization = 'Bearer invalid'
  }
}

/** One body for every 401 (the contract), and the way to the metadata (RFC 9728, 5.1). */
function challenge(context: KoaContextWithOIDC, issuer: string): void {
  const metadata = `resource_metadata="${issuer}${RESOURCE_METADATA}"`
  const given = String(context.res.getHeader('WWW-Authenticate') ?? '')
  if (context.status === 401) {
    // RFC 6750, 3.1: no error code where no token came. The provider says none then.
    const error = given.includes('error=') ? ', error="invalid_token"' : ''
    context.body = { error: 'invalid_token' }
    context.set('WWW-Authenticate', `Bearer realm="${issuer}"${error}, ${metadata}`)
  } else if (given !== '') {
    context.set('WWW-Authenticate', `${given}, ${metadata}`)
  }
}

/**
 * No page of the provider's own leaves it: they have scripts, and none of our headers. A redirect
 * needs no body, least of all one that has the code in it.
 */
function replaceHtml(context: KoaContextWithOIDC, tellProblem: TellProblem): void {
  if (context.res.hasHeader('Location')) {
    context.body = ''
    context.remove('Content-Type')
  } else if (context.type === 'text/html') {
    const description = 'the sign-in cannot go on with another person'
    tellProblem(context, { status: 400, error: 'invalid_request', description })
  }
}
