import { RefusedError, UnreachableError, type ParleyError } from './errors.ts'

export interface RetryOptions {
  /** How often a request is tried again; 4 where it is left out, 0 for never. */
  readonly maxRetries?: number | undefined
  /** The longest that the service may ask to wait, in seconds; 60 where it is left out. */
  readonly maxWaitS?: number | undefined
  /**
   * Told before each wait: of what failed, with its request id, and of how long is waited. What it
   * throws ends the call.
   */
  readonly onRetry?: ((error: ParleyError, waitMs: number) => void) | undefined
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
  { maxRetries = MAX_RETRIES, maxWaitS = MAX_WAIT_S, onRetry }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (tries >= maxRetries || !mayWorkLater(error)) throw error
      const askedS = error instanceof RefusedError ? (error.retryAfter ?? 0) : 0
      // Midnight may be hours away: its reader should know now.
      if (askedS > maxWaitS) throw error
      const waitMs = chooseWait(askedS, tries)
      onRetry?.(error, waitMs)
      await wait(waitMs, signal)
    }
  }
}

/** A request whose answer was lost may have been at work, and would be paid twice. */
function mayWorkLater(error: unknown): error is RefusedError | UnreachableError {
  if (error instanceof RefusedError) {
    return error.status === 502 || (error.status === 429 && !neverFits(error))
  }
  return error instanceof UnreachableError
}

/** What an untouched minute has no tokens for, none will have. */
function neverFits({ code, limits }: RefusedError): boolean {
  const { limit, remaining } = limits?.tokens ?? {}
  return code === 'rate_limit_tpm' && limit !== undefined && remaining === limit
}

function chooseWait(askedS: number, tries: number): number {
  const backOff = FIRST_WAIT_MS * 2 ** tries
  return Math.max(askedS * 1_000, backOff / 2) + chance() * (backOff / 2)
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
