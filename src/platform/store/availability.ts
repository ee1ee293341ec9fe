/** SQLite's primary result codes that tell of its surroundings, not of a mistake of ours. */
const SQLITE_SURROUNDINGS = new Set([
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

/** PostgreSQL's classes and codes of the same sort: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const POSTGRES_SURROUNDINGS = [
  '08', // connection exceptions
  '25006', // read only: a standby, or a disk that is full
  '28', // may not connect (any more)
  '3D000', // the database is not there
  '40', // rolled back: deadlock, serialisation
  '53', // out of disk, memory or connections
  '55P03', // a lock was not to be had in time
  '57', // cancelled by its time-out, or shutting down, starting up
  '58', // I/O errors
  'PL00', // the gate is not open (gate/sql/gate.sql)
]

/** Of sockets and name look-ups on the way to PostgreSQL. */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** What `pg` says without a code where a connection breaks or none is to be had in time. */
const BROKEN =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after)/

/** The connection itself is gone. */
export class StoreGone extends Error {}

/** True where the store cannot do its work now: the same request may succeed later. */
export function isStoreUnavailable(error: unknown): boolean {
  if (error instanceof StoreGone || isConnectionLost(error)) return true
  const code = codeOf(error)
  // Extended codes carry the primary one in their lowest byte.
  if (typeof code === 'number') return SQLITE_SURROUNDINGS.has(code & 0xff)
  return typeof code === 'string' && POSTGRES_SURROUNDINGS.some((start) => code.startsWith(start))
}

/** True where PostgreSQL itself cannot be reached, or is on its way down or up. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (typeof code !== 'string') return error instanceof Error && BROKEN.test(error.message)
  // The file of a socket is gone while the database starts anew.
  const isMissingSocket =
    code === 'ENOENT' && (error as { syscall?: unknown }).syscall === 'connect'
  return isMissingSocket || NETWORK.has(code) || /^(08|57P0)/.test(code)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** True where two transactions made the same unique row: the one that lost may look again. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
