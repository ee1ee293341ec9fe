import { createHash, timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Provider, type AccountClaims, type Configuration, type JWKS } from 'oidc-provider'
import type { Clock } from '#platform/clock.ts'
import type { Person, Persons } from '#accounts/index.ts'
import type { IdentityTables } from '../tables.ts'
import { ADDRESSES, INTERACTION } from './addresses.ts'
import { createArtifactAdapter } from './artifact-adapter.ts'

export interface ProviderOptions {
  readonly db: Kysely<IdentityTables>
  readonly persons: Persons
  readonly clock: Clock
  /** The origin of {auth_url}, e.g. "https://auth.example.com". */
  readonly issuer: string
  readonly cookieKeys: readonly string[]
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

/** A consent outlives every chain of refresh tokens that hangs on it. */
const GRANT_S = 400 * DAY_S
const SESSION_S = 7 * DAY_S

const FEATURES: Configuration['features'] = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  resourceIndicators: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  revocation: { enabled: true },
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
  const { db, clock, issuer, persons, cookieKeys } = options
  const lifetimes = { ...DEFAULT_LIFETIMES, ...options.lifetimes }
  const { refreshGraceMs } = lifetimes
  return {
    adapter: createArtifactAdapter({ db, clock, refreshGraceMs }),
    routes: ADDRESSES,
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'picture'],
      email: ['email', 'email_verified'],
      plano: ['plano', 'plano_pago'],
    },
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
    interactions: { url: (_context, { uid }) => `${INTERACTION}/${uid}` },
    // At each call: a plan that changes is told at once, and who is gone has no claims.
    async findAccount(_context, personId) {
      const person = await persons.find(personId)
      if (!person?.emailVerified) return undefined
      return { accountId: personId, claims: () => describePerson(person) }
    },
    async loadExistingGrant({ oidc }) {
      const clientId = oidc.client?.clientId
      if (clientId === undefined) return undefined
      const id = oidc.result?.consent?.grantId ?? oidc.session?.grantIdFor(clientId)
      return id === undefined ? undefined : oidc.provider.Grant.find(id)
    },
    renderError(context, out) {
      context.type = 'json'
      context.body = out
    },
  }
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

function describePerson(person: Person): AccountClaims {
  return {
    sub: person.id,
    ...(person.name !== null && { name: person.name }),
    ...(person.picture !== null && { picture: person.picture }),
    email: person.email,
    email_verified: person.emailVerified,
    plano: person.plan,
    plano_pago: person.plan !== 'FREE',
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
