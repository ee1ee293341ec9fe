import type { IncomingMessage } from 'node:http'
import type { KoaContextWithOIDC } from 'oidc-provider'

/** Who is signed in, and since when. */
export interface SignedIn {
  readonly personId: string
  readonly sinceMs: number
}

/** Who is signed in in the browser that asks; undefined for nobody. */
export type FindSignedIn = (context: KoaContextWithOIDC) => Promise<SignedIn | undefined>

/** Several steps of a request ask who is signed in: the store is asked once, and all hear the same. */
export function findOnce(findSignedIn: FindSignedIn): FindSignedIn {
  const found = new WeakMap<IncomingMessage, Promise<SignedIn | undefined>>()
  return (context) => {
    const known = found.get(context.req)
    if (known) return known
    const finding = findSignedIn(context)
    found.set(context.req, finding)
    return finding
  }
}

/** What the provider counts time in. */
export function toSeconds(atMs: number): number {
  return Math.floor(atMs / 1_000)
}
