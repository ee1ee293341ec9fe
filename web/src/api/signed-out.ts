/** Whether the session that this page was opened in has ended meanwhile. */
let hasEnded = false
const listeners = new Set<() => void>()

export function tellSignedOut(): void {
  hasEnded = true
  for (const listener of listeners) listener()
}

/** For `useSyncExternalStore`. */
export const signedOut = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): boolean => hasEnded,
}

/** Where to sign in and come back to this very screen, with its filters where the sign-in takes them. */
export function signInAddress(): string {
  const { pathname, search } = location
  const next = /^(\?[\w.~:=&-]{1,500})?$/.test(search) ? pathname + search : pathname
  return `/sign-in?${new URLSearchParams({ next }).toString()}`
}
