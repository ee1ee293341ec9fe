/** What the HTTP server bounds, whoever calls. Tests shorten the times. */
export interface HttpBounds {
  /** Open connections, idle ones included; what comes beyond is closed at once. */
  readonly maxConnections: number
  /** From the opening of a connection, or the first byte of a request, to the end of its head. */
  readonly headTimeoutMs: number
  /** The same, to the end of its body. */
  readonly requestTimeoutMs: number
  /** How long a connection is kept for another request. */
  readonly idleTimeoutMs: number
  /** How long a client may take nothing of what is there for it before it counts as gone. */
  readonly stallTimeoutMs: number
  /** How often connections are looked at for the times above: so late can each of them be. */
  readonly checkEveryMs: number
  /** How long the rest of a body is read for nothing, so that its client can take our answer. */
  readonly lingerMs: number
  /** Requests of one connection that have no whole answer yet. */
  readonly maxUnanswered: number
  readonly maxHeaders: number
  readonly maxHeadBytes: number
  /** Of all bodies whose requests are under way, and of those of one account. */
  readonly maxHeldBytes: number
  readonly maxHeldBytesOfOne: number
}

const KIB = 1024
const MIB = 1024 * KIB

export const DEFAULT_HTTP_BOUNDS: HttpBounds = {
  // Twice the chat requests that may be under way: the others wait between two requests.
  maxConnections: 8_192,
  headTimeoutMs: 20_000,
  requestTimeoutMs: 120_000,
  // Longer than proxies keep theirs, most often 60 s: else one sends a request just as we close.
  idleTimeoutMs: 72_000,
  // The system takes megabytes at a time: a client that reads slowly shows it in steps.
  stallTimeoutMs: 300_000,
  checkEveryMs: 1_000,
  lingerMs: 30_000,
  // Hardly any client sends a request before it has its answer to the last one.
  maxUnanswered: 32,
  maxHeaders: 200,
  maxHeadBytes: 16 * KIB,
  maxHeldBytes: 512 * MIB,
  maxHeldBytesOfOne: 128 * MIB,
}
