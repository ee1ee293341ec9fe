import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { readWords } from './read-words.ts'
import { toSeconds, type FindSignedIn, type SignedIn } from './signed-in.ts'

/**
 * What is kept with an authorization beside its own parameters: since when its person was signed in
 * when it was asked for. Whatever a caller sends under this name is written over.
 */
export const SIGNED_IN_SINCE = 'signed_in_since'

/** Takes up what a valid authorization request leaves to us, before the provider decides on it. */
export async function completeRequest(
  context: KoaContextWithOIDC,
  scopes: readonly string[],
  findSignedIn: FindSignedIn,
): Promise<void> {
  const { params } = context.oidc
  if (!params) return
  params['scope'] = readAskedScopes(context, scopes).join(' ')
  const signedIn = await findSignedIn(context)
  params[SIGNED_IN_SINCE] = signedIn && String(signedIn.sinceMs)
  if (signedIn) adoptSession(context, signedIn)
}

/**
 * The provider drops offline_access from a request without `prompt=consent`; OpenID Connect Core (11)
 * leaves us other conditions, and ours is that the person has consented to it, now or before. Scopes
 * that we do not know are passed over (RFC 6749, 3.3).
 */
function readAskedScopes({ query }: KoaContextWithOIDC, known: readonly string[]): string[] {
  const asked = [...new Set(readWords(query['scope']))].filter((scope) => known.includes(scope))
  if (asked.length === 0) {
    throw new errors.InvalidScope(
      'no scope that is known was asked for',
      readWords(query['scope']).join(' '),
    )
  }
  return asked
}

/** Who is signed in with us is signed in at the provider: `prompt=none` needs no page for it. */
function adoptSession({ oidc: { session } }: KoaContextWithOIDC, signedIn: SignedIn): void {
  const { personId, sinceMs } = signedIn
  const loginTs = toSeconds(sinceMs)
  if (!session || (session.accountId === personId && session.loginTs === loginTs)) return
  session.loginAccount({ accountId: personId, loginTs })
  // Nobody knows the cookie of the session that they signed in to from before they did.
  session.resetIdentifier()
}
