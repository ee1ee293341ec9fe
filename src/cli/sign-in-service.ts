import type * as OpenIdClient from 'openid-client'
import { explained, readServiceUrl } from './call-service.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'

/** Where people sign in, and what speaks with it. */
export interface SignInService {
  /** Its origin, e.g. "https://auth.example.com". */
  readonly url: string
  readonly openid: typeof OpenIdClient
  readonly config: OpenIdClient.Configuration
}

/** What the service knows this command as. */
export const CLIENT_ID = 'parley-cli'

const TIMEOUT_S = 15
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/** Where people sign in: PARLEY_AUTH_URL, else the origin of the service. */
export function readSignInUrl(io: CommandIo): string {
  const text = io.env['PARLEY_AUTH_URL'] ?? readServiceUrl(io)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(
      `PARLEY_AUTH_URL is ${JSON.stringify(text)}: set it to an address such as https://auth.example.com.`,
    )
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new CommandError(
      `${url.origin} is not encrypted, and signing in over it could be overheard. Set PARLEY_AUTH_URL to its https address.`,
    )
  }
  return url.origin
}

/** Asks the service where its endpoints are. Loads what only these commands need. */
export async function findSignInService(url: string): Promise<SignInService> {
  const openid = await import('openid-client')
  const config = await asked(url, () =>
    openid.discovery(new URL(url), CLIENT_ID, undefined, openid.None(), {
      timeout: TIMEOUT_S,
      // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only to stand out; this is loopback.
      ...(url.startsWith('http:') && { execute: [openid.allowInsecureRequests] }),
    }),
  )
  refuseForeignEndpoints(url, config.serverMetadata())
  return { url, openid, config }
}

/** Tokens go where they came from, and nowhere else. */
function refuseForeignEndpoints(url: string, metadata: OpenIdClient.ServerMetadata): void {
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, revocation_endpoint } =
    metadata
  const endpoints = [authorization_endpoint, token_endpoint, userinfo_endpoint, revocation_endpoint]
  const isOwn = (endpoint: string | undefined): boolean =>
    endpoint !== undefined && URL.canParse(endpoint) && new URL(endpoint).origin === url
  if (!endpoints.every(isOwn)) throw notParley(url)
}

/** Runs a step that asks the service, and tells a person what its failure means. */
export async function asked<Result>(url: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await explained(url, step)
  } catch (error) {
    const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
    if (error instanceof CommandError || typeof code !== 'string') throw error
    if (code === 'OAUTH_TIMEOUT') {
      throw new CommandError(`${url} did not answer in time. Look at the service's log.`, { cause })
    }
    const issuer = readOtherIssuer(cause)
    if (issuer !== undefined) {
      throw new CommandError(
        `People of ${url} sign in at ${issuer}: if you trust it, set PARLEY_AUTH_URL to that.`,
        { cause: error },
      )
    }
    if (code.startsWith('OAUTH_') && !isAnswer(error)) throw notParley(url, error)
    throw error
  }
}

/** A refusal by the protocol's rules, which whoever asked knows how to tell. */
function isAnswer(error: unknown): boolean {
  const { name } = error as Error
  return /^(ResponseBodyError|AuthorizationResponseError|WWWAuthenticateChallengeError)$/.test(name)
}

function readOtherIssuer(cause: unknown): string | undefined {
  const { attribute, body } = (cause ?? {}) as {
    readonly attribute?: unknown
    readonly body?: { readonly issuer?: unknown }
  }
  const issuer = attribute === 'issuer' ? body?.issuer : undefined
  return typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer).origin : undefined
}

function notParley(url: string, cause?: unknown): CommandError {
  return new CommandError(
    `${url} does not answer as Parley does. Set PARLEY_AUTH_URL to where people sign in.`,
    { cause },
  )
}
