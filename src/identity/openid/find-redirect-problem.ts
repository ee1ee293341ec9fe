import type { ClientKind } from './clients.ts'

/** Why an app cannot have one of the addresses that it wants people sent back to. */
export interface RedirectProblem {
  readonly kind: 'bad_redirect_uri'
  readonly index: number
  /** What follows "redirect_uris[0]: ". */
  readonly sentence: string
}

const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?=[:/?]|$)/i

/**
 * The first address that an app of this kind cannot have. How one is written (absolute, no fragment, no
 * wildcard, plain http for 127.0.0.1 and [::1] alone) is the contract's pattern; `localhost` is left out
 * there, for what it leads to is up to the machine's settings (RFC 8252, 8.3).
 */
export function findRedirectProblem(
  kind: ClientKind,
  uris: readonly string[],
): RedirectProblem | undefined {
  const hasOwnScheme = uris.some((uri) => !/^https?:/.test(uri))
  for (const [index, uri] of uris.entries()) {
    const sentence = describeProblem(kind, uri, hasOwnScheme)
    if (sentence !== undefined) return { kind: 'bad_redirect_uri', index, sentence }
  }
  return undefined
}

function describeProblem(kind: ClientKind, uri: string, hasOwnScheme: boolean): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return 'must be an address that can be read'
  const isWeb = /^https?:$/.test(url.protocol)
  if (kind === 'confidential' && !isWeb) {
    return 'must be https, or http on a loopback address, for a confidential client'
  }
  if (!isWeb) return undefined
  // The provider knows web apps and native ones; to it, only the former are at https://localhost.
  if (hasOwnScheme && url.protocol === 'https:' && LOOPBACK.test(url.origin)) {
    return "must not be https on a loopback address, beside a scheme of the app's own"
  }
  return undefined
}
