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

/** Where to sign in and come back to this very screen. */
export function signInAddress(): string {
  return `/sign-in?${new URLSearchParams({ next: location.pathname }).toString()}`
}
