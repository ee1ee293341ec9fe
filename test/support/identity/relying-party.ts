import assert from 'node:assert/strict'
import * as client from 'openid-client'
import type { Service } from '../service.ts'
import { registerClient } from './register-client.ts'
import type { Visit, Visitor, VisitOptions } from './visitor.ts'

export const REDIRECT_URI = 'https://app.example.com/callback'
export const ALL_SCOPES = 'openid profile email plano offline_access'

/** Parameters of an authorization request; undefined takes one away. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** A request that an app has begun, and what it must remember of it. */
export interface Begun {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly nonce: string | undefined
}

export type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>

/** An app as openid-client makes one: it checks all that OpenID Connect has it check. */
export interface RelyingParty {
  readonly config: client.Configuration
  begin(parameters?: Parameters): Promise<Begun>
  /** Sends a visitor to sign in, who is already or does so with these. */
  visit(visitor: Visitor, begun: Begun, options?: VisitOptions): Promise<Visit>
  redeem(begun: Begun, callback: URL | undefined): Promise<Tokens>
  /** All of it; what it must not meet on its way is an error. */
  connect(visitor: Visitor, parameters?: Parameters, options?: VisitOptions): Promise<Tokens>
  refresh(token: string | undefined): Promise<Tokens>
}

export interface RelyingPartyOptions {
  readonly clientId?: string
  readonly kind?: 'public' | 'confidential'
  /** The first is used. */
  readonly redirectUris?: readonly string[]
  readonly fetch?: client.CustomFetch
  /** Where it finds the provider, when that is not the service's own origin. */
  readonly issuer?: string
}

/** Registers an app with the service, and lets it find out where things are. */
export async function createRelyingParty(
  service: Service,
  options: RelyingPartyOptions = {},
): Promise<RelyingParty> {
  const { clientId = 'chat', kind = 'public', redirectUris = [REDIRECT_URI] } = options
  const { secret } = await registerClient(service, { clientId, kind, redirectUris })
  const auth = secret === undefined ? client.None() : client.ClientSecretBasic(secret)
  const config = await discover(options.issuer ?? service.origin, clientId, auth, options.fetch)
  return describeParty(config, redirectUris[0] ?? REDIRECT_URI)
}

/** The same app, at another replica. */
export async function discover(
  issuer: string,
  clientId: string,
  auth: client.ClientAuth = client.None(),
  fetch?: client.CustomFetch,
): Promise<client.Configuration> {
  return client.discovery(new URL(issuer), clientId, undefined, auth, {
    // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
    execute: [client.allowInsecureRequests],
    ...(fetch && { [client.customFetch]: fetch }),
  })
}

function describeParty(config: client.Configuration, redirectUri: string): RelyingParty {
  const party: RelyingParty = {
    config,
    begin: (parameters = {}) => begin(config, redirectUri, parameters),
    visit: (visitor, begun, options) => visitor.authorize(begun.url, options),
    async redeem({ verifier, state, nonce }, callback) {
      assert.ok(callback, 'the app was not called back')
      return client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
      })
    },
    async connect(visitor, parameters, options) {
      const begun = await party.begin(parameters)
      const visit = await party.visit(visitor, begun, options)
      assert.ok(visit.callback, visit.trail.join('\n') + visit.last.text)
      return party.redeem(begun, visit.callback)
    },
    refresh: (token = '') => client.refreshTokenGrant(config, token),
  }
  return party
}

async function begin(
  config: client.Configuration,
  redirectUri: string,
  parameters: Parameters,
): Promise<Begun> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const isOpenId = (parameters['scope'] ?? ALL_SCOPES).split(' ').includes('openid')
  // The provider refuses a nonce where there is no id token that it could come back in.
  const nonce = isOpenId ? client.randomNonce() : undefined
  const asked: Parameters = {
    redirect_uri: redirectUri,
    scope: ALL_SCOPES,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  }
  const given = Object.entries(asked).filter((pair): pair is [string, string] => !!pair[1])
  return {
    url: client.buildAuthorizationUrl(config, new URLSearchParams(given)),
    verifier,
    state,
    nonce,
  }
}

/** What an app is told by the address that it is called back at. */
export function readCallback({ callback, trail, last }: Visit): Record<string, string> {
  assert.ok(callback, trail.join('\n') + last.text)
  return Object.fromEntries(callback.searchParams)
}

/** The error that an app's call of the token endpoint was refused with. */
export async function readRefusal(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  if (error instanceof client.ResponseBodyError) return error.error
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return error.cause[0]?.parameters.error ?? 'none'
  }
  throw error
}
