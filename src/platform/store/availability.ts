/** SQLite's primary result codes that tell of its surroundings, not of a mistake of ours. */
const SURROUNDINGS = new Set([
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  15, // PROTOCOL
])

/** The connection itself is gone. */
export class StoreGone extends Error {}

/** True where the store cannot do its work now: the same request may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreGone) return true
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  // Extended codes carry the primary one in their lowest byte.
  return typeof code === 'number' && SURROUNDINGS.has(code & 0xff)
}
