import type { KoaContextWithOIDC } from 'oidc-provider'

/**
 * What a person must be told, because no app can be: their browser came with a request that names no
 * app, or an address that is not the app's, or that has ended.
 */
export interface AuthorizationProblem {
  readonly status: number
  /** As OAuth names it, e.g. "invalid_redirect_uri". */
  readonly error: string
  readonly description: string
}

/** Leaves it to the caller of the provider to answer this request. */
export type TellProblem = (context: KoaContextWithOIDC, problem: AuthorizationProblem) => void
