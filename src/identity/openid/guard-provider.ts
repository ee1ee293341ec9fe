import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { ADDRESSES, RESOURCE_METADATA } from './addresses.ts'

export interface ProviderGuards {
  readonly issuer: string
  /** Who is signed in in the browser that asks; undefined for nobody. */
  findPersonId(context: KoaContextWithOIDC): Promise<string | undefined>
}

/** Puts our rules around the provider's own. */
export function guardProvider(provider: Provider, { issuer, findPersonId }: ProviderGuards): void {
  const metadataUrl = issuer + RESOURCE_METADATA
  provider.use(async (context: KoaContextWithOIDC, next) => {
    switch (context.path) {
      case ADDRESSES.authorization:
        askForConsentOfRefresh(context)
        await dropForeignSession(provider, context, await findPersonId(context))
        await next()
        return
      case ADDRESSES.userinfo:
        normaliseToken(context)
        await next()
        challenge(context, issuer, metadataUrl)
        return
      default:
        await next()
    }
  })
}

/**
 * Without `prompt=consent` the provider drops offline_access without a word (OpenID Connect Core, 11).
 * What was consented to before is not asked again: our page of the interaction passes it by.
 */
function askForConsentOfRefresh(context: KoaContextWithOIDC): void {
  const { scope, prompt } = context.query
  if (typeof scope !== 'string' || prompt !== undefined) return
  if (!scope.split(' ').includes('offline_access')) return
  context.query = { ...context.query, prompt: 'consent' }
}

/** The provider's session outlives the sign-out; who is signed in is what our own session says. */
async function dropForeignSession(
  provider: Provider,
  context: KoaContextWithOIDC,
  personId: string | undefined,
): Promise<void> {
  const session = await provider.Session.get(context)
  if (session.accountId !== undefined && session.accountId !== personId) await session.destroy()
}

/** What is no bearer token is answered as a wrong one is, and never with a page. */
function normaliseToken({ req }: KoaContextWithOIDC): void {
  req.headers.accept = 'application/json'
  const { authorization } = req.headers
  if (authorization !== undefined && !/^Bearer \S+$/i.test(authorization)) {
    req.headers.authorization = 'Bearer invalid'
  }
}

function challenge(context: KoaContextWithOIDC, issuer: string, metadataUrl: string): void {
  const given = context.response.get('WWW-Authenticate')
  if (context.status === 401) {
    // RFC 6750, 3.1: no error code where no token came.
    const error = context.headers.authorization === undefined ? '' : ', error="invalid_token"'
    context.body = { error: 'invalid_token' }
    context.set(
      'WWW-Authenticate',
      `Bearer realm="${issuer}"${error}, resource_metadata="${metadataUrl}"`,
    )
  } else if (given !== '') {
    context.set('WWW-Authenticate', `${given}, resource_metadata="${metadataUrl}"`)
  }
}
