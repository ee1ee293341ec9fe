import type { UpstreamFailure } from './upstream.ts'

export interface ReplyTimeouts {
  /** From now to the first byte of the reply's body. */
  readonly firstByteTimeoutMs: number
  /** Between bytes. */
  readonly idleTimeoutMs: number
}

/** However lively: nobody waits so long, and a hold must end some day. */
export const MAX_REPLY_MS = 30 * 60_000

/** Sees that a reply begins in time, does not fall silent, and ends some day. */
export class ReplyWatch {
  readonly #timeouts: ReplyTimeouts
  readonly #isPaused: () => boolean
  readonly #onTimeout: (failure: UpstreamFailure) => void
  readonly #deadlineMs = performance.now() + MAX_REPLY_MS
  #timer: NodeJS.Timeout
  #begun = false
  #stopped = false

  /** Silence that was asked for is nobody's fault: while paused, nothing is timed. */
  constructor(
    timeouts: ReplyTimeouts,
    isPaused: () => boolean,
    onTimeout: (failure: UpstreamFailure) => void,
  ) {
    this.#timeouts = timeouts
    this.#isPaused = isPaused
    this.#onTimeout = onTimeout
    this.#timer = setTimeout(this.#onSilence, timeouts.firstByteTimeoutMs)
  }

  /** The body's first byte has come. */
  get begun(): boolean {
    return this.#begun
  }

  noteBytes(): void {
    if (performance.now() > this.#deadlineMs) {
      this.#onTimeout({ kind: 'timeout', reason: 'too long' })
    }
    // A timer that was cleared would run again if it were refreshed.
    if (this.#stopped) return
    const { firstByteTimeoutMs, idleTimeoutMs } = this.#timeouts
    const isSame = this.#begun || idleTimeoutMs === firstByteTimeoutMs
    this.#begun = true
    if (isSame) {
      this.#timer.refresh()
      return
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onSilence, idleTimeoutMs)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  readonly #onSilence = (): void => {
    if (this.#isPaused()) this.#timer.refresh()
    else this.#onTimeout({ kind: 'timeout', reason: this.#begun ? 'fell silent' : 'no first byte' })
  }
}
