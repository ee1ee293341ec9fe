import { ConnectionError, RefusedError } from './errors.ts'

export interface RetryOptions {
  /** How often a request is tried again; 4 where it is left out, 0 for never. */
  readonly maxRetries?: number
  /** The longest that is waited for one try, in seconds; 60 where it is left out. */
  readonly maxWaitS?: number
}

const MAX_RETRIES = 4
const MAX_WAIT_S = 60
const FIRST_WAIT_MS = 500

/**
 * Tries again what may work the next time, as the service's contract guides: 429 and 502, and where no
 * connection came about. Nothing else of the fours: the same request gives the same result. Each wait is
 * at least what the service asks for, and twice the one before, with some chance in it so that many
 * clients do not come back at once.
 */
export async function withRetries<Answer>(
  attempt: () => Promise<Answer>,
  { maxRetries = MAX_RETRIES, maxWaitS = MAX_WAIT_S }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= maxRetries || !mayWorkLater(error)) throw error
      const waitMs = waitFor(error, tries)
      // Midnight may be hours away: its reader should know now.
      if (waitMs > maxWaitS * 1_000) throw error
      await wait(waitMs, signal)
    }
  }
}

function mayWorkLater(error: unknown): boolean {
  if (error instanceof RefusedError) return error.status === 429 || error.status === 502
  return error instanceof ConnectionError
}

function waitFor(error: unknown, tries: number): number {
  const asked = error instanceof RefusedError ? (error.retryAfter ?? 0) * 1_000 : 0
  const backOff = FIRST_WAIT_MS * 2 ** tries
  return Math.max(asked, backOff / 2) + chance() * (backOff / 2)
}

/** 0 to 1. */
function chance(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn / 2 ** 32
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal?.aborted) return Promise.reject(signal.reason as Error)
  const stop = (): void => {
    clearTimeout(timer)
    reject(signal?.reason as Error)
  }
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', stop)
    resolve()
  }, milliseconds)
  signal?.addEventListener('abort', stop, { once: true })
  return promise
}
