import type * as OpenIdClient from 'openid-client'
import { CommandError } from './command-error.ts'
import type { Credentials, CredentialsFile } from './credentials-file.ts'
import { asked, CLIENT_ID, type SignInService } from './sign-in-service.ts'

/** A token that ends while it is on its way is of no use. */
const MARGIN_MS = 10_000

/** What of a token's answer is kept. */
export function toCredentials(
  { url }: SignInService,
  tokens: OpenIdClient.TokenEndpointResponse & OpenIdClient.TokenEndpointResponseHelpers,
  before?: Credentials,
): Credentials {
  return {
    issuer: url,
    client_id: CLIENT_ID,
    sub: tokens.claims()?.sub ?? before?.sub ?? '',
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token ?? before?.refresh_token ?? null,
    expires_at: Date.now() + (tokens.expires_in ?? 0) * 1_000,
  }
}

/** The credentials of a service with a token that is good for a while; they are refreshed if need be. */
export async function readFresh(
  file: CredentialsFile,
  service: SignInService,
): Promise<Credentials> {
  const kept = file.read(service.url)
  if (!kept) throw notSignedIn(service.url)
  return isFresh(kept) ? kept : refresh(file, service, kept)
}

/** Gets a new token in place of one that is over, or that the service did not take. */
export async function refresh(
  file: CredentialsFile,
  service: SignInService,
  stale: Credentials,
): Promise<Credentials> {
  const { url, openid, config } = service
  return file.locked(async (write) => {
    const kept = file.read(url)
    if (!kept) throw notSignedIn(url)
    // Another command has refreshed them while we waited.
    if (kept.access_token !== stale.access_token && isFresh(kept)) return kept
    try {
      if (kept.refresh_token === null) throw signInAgain(url)
      const { refresh_token: token } = kept
      const tokens = await asked(url, () => openid.refreshTokenGrant(config, token))
      const credentials = toCredentials(service, tokens, kept)
      write(url, credentials)
      return credentials
    } catch (error) {
      if (!isGone(error)) throw error
      write(url, undefined)
      throw signInAgain(url, error)
    }
  })
}

export function notSignedIn(url: string): CommandError {
  return new CommandError(`You are not signed in at ${url}. Run: parley login`)
}

export function signInAgain(url: string, cause?: unknown): CommandError {
  return new CommandError(`${url} has signed you out. Sign in again: parley login`, { cause })
}

function isFresh({ expires_at: expiresAtMs }: Credentials): boolean {
  return Date.now() < expiresAtMs - MARGIN_MS
}

/** The chain of refresh tokens has ended: signed out elsewhere, expired, or used twice. */
function isGone(error: unknown): boolean {
  return (error as { readonly error?: unknown }).error === 'invalid_grant'
}
