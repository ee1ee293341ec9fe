/**
 * A reference that nobody has used: what it is for, the UTC day, and chance. It is made once for a form
 * and kept while it is sent again, so that sending it twice books once.
 */
export function suggestReference(purpose: string, now: Date, chance: Uint8Array): string {
  const hex = Array.from(chance, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${purpose}-${now.toISOString().slice(0, 10)}-${hex}`
}

/** For right now. */
export function suggestNewReference(purpose: string): string {
  return suggestReference(purpose, new Date(), crypto.getRandomValues(new Uint8Array(4)))
}
