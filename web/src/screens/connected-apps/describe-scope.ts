import type { Translation, Words } from '../../words/define-words.ts'
import type { connectedAppsWords } from './words.ts'

export type ConnectedAppsWords =
  typeof connectedAppsWords extends Words<infer Dictionary> ? Translation<Dictionary> : never

/** What an app may see, as the page said where it was allowed; an app may ask for scopes of its own. */
export function describeScope(scope: string, words: ConnectedAppsWords): string {
  const known: Readonly<Record<string, string>> = words.scopes
  return Object.hasOwn(known, scope) ? (known[scope] ?? scope) : words.otherScope(scope)
}
