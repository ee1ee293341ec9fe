import type { Dispatcher } from 'undici'
import type {
  Opening,
  ReplyEvent,
  ReplyListener,
  UpstreamFailure,
  UpstreamReply,
} from '../upstream.ts'
import { chooseDecoder, type ReplyDecoder } from './choose-decoder.ts'
import { readConnectionError } from '../read-connection-error.ts'

export interface RequestPlan {
  readonly options: Dispatcher.DispatchOptions
  /** From now to the first byte of the reply's body. */
  readonly firstByteTimeoutMs: number
  /** Between bytes. */
  readonly idleTimeoutMs: number
}

/** What a server may still send after its end before we hang up on it. */
const MAX_SURPLUS_BYTES = 64 * 1024
/** However lively: nobody waits so long, and a hold must end some day. */
export const MAX_REPLY_MS = 30 * 60_000
const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'we cancelled it' }

/**
 * Sends a request and resolves at the reply's first event. Written on undici's dispatch, not on
 * fetch: this is the hot path, where a streamed reply costs one call of onResponseData a chunk.
 */
export function openReply(
  dispatcher: Dispatcher,
  plan: RequestPlan,
  signal: AbortSignal,
): Promise<Opening> {
  const exchange = new Exchange(plan, signal)
  dispatcher.dispatch(plan.options, exchange)
  return exchange.opening.promise
}

/** One request and its reply: undici's handler on one side, the reply that is read on the other. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamReply {
  readonly opening = Promise.withResolvers<Opening>()
  readonly #plan: RequestPlan
  readonly #signal: AbortSignal
  /** What came before anyone was there to read it. */
  readonly #early: ReplyEvent[] = []
  #controller: Dispatcher.DispatchController | undefined
  #decoder: ReplyDecoder | undefined
  #listener: ReplyListener | undefined
  #timer: NodeJS.Timeout
  /** The body's first byte has come. */
  #begun = false
  /** The reply is over, well or not; the connection may not be. */
  #ended = false
  #ending: UpstreamFailure | undefined
  /** The connection is done with this request. */
  #closed = false
  #surplusBytes = 0
  readonly #deadlineMs = performance.now() + MAX_REPLY_MS

  constructor(plan: RequestPlan, signal: AbortSignal) {
    this.#plan = plan
    this.#signal = signal
    this.#timer = setTimeout(this.#onTimeout, plan.firstByteTimeoutMs)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#ended) this.#hangUp(CANCELLED.reason)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#decoder = chooseDecoder(status, headers, {
      emit: (event) => this.#emit(event),
      done: (failure) => this.#end(failure),
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#noteByte()
    if (this.#ended) this.#surplusBytes += bytes.length
    if (this.#surplusBytes > MAX_SURPLUS_BYTES) this.#hangUp('it goes on after its end')
    this.#decoder?.add(bytes)
  }

  onResponseEnd(): void {
    this.#close({ kind: 'malformed', reason: 'an empty answer' }, undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = readConnectionError(error, this.#begun)
    this.#close(failure, failure)
  }

  read(listener: ReplyListener): void {
    if (this.#signal.aborted) return
    for (const event of this.#early) listener.onEvent(event)
    this.#listener = listener
    if (this.#ended) listener.onEnd(this.#ending)
    else this.resume()
  }

  pause(): void {
    if (!this.#closed) this.#controller?.pause()
  }

  resume(): void {
    if (!this.#closed) this.#controller?.resume()
  }

  #emit(event: ReplyEvent): void {
    if (this.#listener) return this.#listener.onEvent(event)
    this.#early.push(event)
    if (this.#early.length > 1) return
    this.pause()
    this.opening.resolve({ kind: 'opened', reply: this })
  }

  #end(failure: UpstreamFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#ending = failure
    if (failure) this.#hangUp(failure.reason)
    if (this.#early.length === 0 && failure) this.opening.resolve({ kind: 'failed', failure })
    else if (!this.#signal.aborted) this.#listener?.onEnd(failure)
  }

  /** `ifUnread` is what it means that the connection ended before any head. */
  #close(ifUnread: UpstreamFailure, failure: UpstreamFailure | undefined): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    if (this.#decoder) this.#decoder.end(failure)
    else this.#end(ifUnread)
  }

  #stop(failure: UpstreamFailure): void {
    this.#decoder?.end(failure)
    this.#end(failure)
    this.#hangUp(failure.reason)
  }

  #hangUp(reason: string): void {
    if (!this.#closed) this.#controller?.abort(new Error(reason))
  }

  #noteByte(): void {
    if (performance.now() > this.#deadlineMs) this.#stop({ kind: 'timeout', reason: 'too long' })
    const { firstByteTimeoutMs, idleTimeoutMs } = this.#plan
    const isSame = this.#begun || idleTimeoutMs === firstByteTimeoutMs
    this.#begun = true
    if (isSame) {
      this.#timer.refresh()
      return
    }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onTimeout, idleTimeoutMs)
  }

  readonly #onTimeout = (): void => {
    // Silence that we asked for, because our own client is slow, is not the server's.
    if (this.#controller?.paused && !this.#ended) this.#timer.refresh()
    else this.#stop({ kind: 'timeout', reason: this.#begun ? 'fell silent' : 'no first byte' })
  }

  readonly #onAbort = (): void => this.#stop(CANCELLED)
}
