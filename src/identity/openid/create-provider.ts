import { createHash, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  Provider,
  type Client,
  type Configuration,
  type JWKS,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { Clock } from '#platform/clock.ts'
import type { Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { ADDRESSES, INTERACTION } from './addresses.ts'
import { createArtifactAdapter } from './artifact-adapter.ts'
import type { TellProblem } from './authorization-problem.ts'
import { completeRequest, SIGNED_IN_SINCE } from './complete-request.ts'
import { findConsent } from './consents.ts'
import { CLAIMS, describePerson, SCOPES } from './describe-person.ts'
import { createInteractionPolicy } from './interaction-policy.ts'
import type { FindSignedIn } from './signed-in.ts'

export interface ProviderOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  /** The origin of {auth_url}, e.g. "https://auth.example.com". */
  readonly issuer: string
  readonly cookieKeys: readonly string[]
  readonly findSignedIn: FindSignedIn
  readonly tellProblem: TellProblem
  readonly lifetimes?: Partial<Lifetimes>
}

/** In seconds, but for the grace. */
export interface Lifetimes {
  readonly accessToken: number
  readonly code: number
  readonly idToken: number
  readonly refreshToken: number
  readonly interaction: number
  /** How long a second use of a refresh token is taken for a second tab, not for a thief. */
  readonly refreshGraceMs: number
}

const DAY_S = 86_400

const DEFAULT_LIFETIMES: Lifetimes = {
  accessToken: 3_600,
  code: 60,
  idToken: 3_600,
  refreshToken: 30 * DAY_S,
  interaction: 900,
  refreshGraceMs: 10_000,
}

/** A consent is asked for anew after this, however often refresh tokens on it were renewed. */
const GRANT_S = 400 * DAY_S
const SESSION_S = 7 * DAY_S

const FEATURES: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  revocation: {
    enabled: true,
    allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
  },
  userinfo: { enabled: true },
}

/** The OpenID provider over our tables, with these keys. Making one takes a millisecond. */
export function createProvider(options: ProviderOptions, keys: JWKS['keys']): Provider {
  const { issuer } = options
  const provider = new Provider(issuer, { ...configure(options), jwks: { keys } })
  pinAddresses(provider, issuer)
  compareSecretHashes(provider)
  return provider
}

function configure(options: ProviderOptions): Configuration {
  const { issuer, persons, cookieKeys, findSignedIn } = options
  const lifetimes = { ...DEFAULT_LIFETIMES, ...options.lifetimes }
  const { refreshGraceMs } = lifetimes
  return {
    adapter: createArtifactAdapter({ ...options, refreshGraceMs }),
    routes: ADDRESSES,
    scopes: SCOPES,
    claims: { ...CLAIMS },
    responseTypes: ['code'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    rotateRefreshToken: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    cookies: describeCookies(issuer, cookieKeys),
    expiresWithSession: () => false,
    ttl: describeLifetimes(lifetimes),
    features: FEATURES,
    extraParams: {
      [SIGNED_IN_SINCE]: (context) => completeRequest(context, SCOPES, findSignedIn),
    },
    interactions: {
      url: (_context, { uid }) => `${INTERACTION}/${uid}`,
      policy: createInteractionPolicy(findSignedIn),
    },
    clientBasedCORS: isOwnPage,
    // An app that signs somebody out of it gives its tokens back, not what they have consented to.
    revokeGrantPolicy: ({ oidc }) => oidc.route !== 'revocation',
    discovery: { prompt_values_supported: ['none', 'login', 'consent', 'select_account'] },
    // At each call: a plan that changes is told at once, and who is gone has no claims.
    async findAccount(_context, personId) {
      const person = await persons.find(personId)
      if (!person?.emailVerified) return undefined
      return { accountId: personId, claims: () => describePerson(person) }
    },
    loadExistingGrant: (context) => findConsent(options, context),
    renderError: createErrorAnswer(options.tellProblem),
  }
}

/** At the authorization endpoint it is a person who asks, elsewhere an app. */
function createErrorAnswer(tellProblem: TellProblem): Configuration['renderError'] {
  return (context, out) => {
    if (!['authorization', 'resume'].includes(context.oidc.route)) {
      context.type = 'json'
      context.body = out
      return
    }
    const { error, error_description: given = '' } = out
    const description = error === 'server_error' ? 'we failed; try again in a moment' : given
    tellProblem(context, { status: context.status, error, description })
  }
}

/** Pages may use the tokens of a public client from where it has its people sent back to. */
function isOwnPage(
  _context: KoaContextWithOIDC,
  origin: string,
  { clientAuthMethod, redirectUris = [] }: Client,
): boolean {
  if (clientAuthMethod !== 'none' || origin === 'null') return false
  return redirectUris.some((uri) => URL.parse(uri)?.origin === origin)
}

function describeLifetimes(lifetimes: Lifetimes): NonNullable<Configuration['ttl']> {
  return {
    AccessToken: lifetimes.accessToken,
    AuthorizationCode: lifetimes.code,
    IdToken: lifetimes.idToken,
    RefreshToken: lifetimes.refreshToken,
    Interaction: lifetimes.interaction,
    Grant: GRANT_S,
    Session: SESSION_S,
  }
}

/** The prefixes keep other hosts and plain http from setting them (RFC 6265bis, 4.1.3). */
function describeCookies(issuer: string, keys: readonly string[]): Configuration['cookies'] {
  const isSecure = issuer.startsWith('https:')
  const attributes = { httpOnly: true, sameSite: 'lax', signed: true, secure: isSecure } as const
  const host = isSecure ? '__Host-' : ''
  const secure = isSecure ? '__Secure-' : ''
  return {
    keys: [...keys],
    names: {
      session: `${host}parley_openid`,
      interaction: `${secure}parley_interaction`,
      resume: `${secure}parley_resume`,
    },
    long: attributes,
    short: attributes,
  }
}

/** What the provider builds addresses of: never the Host or a forwarded header of a request. */
function pinAddresses(provider: Provider, issuer: string): void {
  const { protocol, host, origin } = new URL(issuer)
  const request = (provider as unknown as { readonly request: object }).request
  Object.defineProperties(request, {
    protocol: { get: () => protocol.slice(0, -1) },
    secure: { get: () => protocol === 'https:' },
    host: { get: () => host },
    origin: { get: () => origin },
  })
}

/** Secrets are 256 random bits and kept as SHA-256, which is what a client's "secret" is here. */
function compareSecretHashes(provider: Provider): void {
  Object.assign(provider.Client.prototype, { compareClientSecret })
}

function compareClientSecret(this: { readonly clientSecret: string }, actual: string): boolean {
  const expected = Buffer.from(this.clientSecret, 'hex')
  return timingSafeEqual(createHash('sha256').update(actual).digest(), expected)
}
