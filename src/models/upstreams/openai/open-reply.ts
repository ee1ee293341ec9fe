import type { Dispatcher } from 'undici'
import { readConnectionError } from '../read-connection-error.ts'
import { ReplyDelivery } from '../reply-delivery.ts'
import { ReplyWatch, type ReplyTimeouts } from '../reply-watch.ts'
import type { Opening, ReplyListener, UpstreamFailure, UpstreamReply } from '../upstream.ts'
import { chooseDecoder, type ReplyDecoder } from './choose-decoder.ts'

export interface RequestPlan extends ReplyTimeouts {
  readonly options: Dispatcher.DispatchOptions
}

/** What a server may still send after its end before we hang up on it. */
const MAX_SURPLUS_BYTES = 64 * 1024
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
  return exchange.delivery.opening.promise
}

/** One request and its reply: undici's handler on one side, the reply that is read on the other. */
class Exchange implements Dispatcher.DispatchHandler, UpstreamReply {
  readonly delivery: ReplyDelivery
  readonly #signal: AbortSignal
  readonly #watch: ReplyWatch
  #controller: Dispatcher.DispatchController | undefined
  #decoder: ReplyDecoder | undefined
  /** The connection is done with this request. */
  #closed = false
  #surplusBytes = 0

  constructor(plan: RequestPlan, signal: AbortSignal) {
    this.delivery = new ReplyDelivery(this, signal)
    this.#signal = signal
    this.#watch = new ReplyWatch(plan, this.#isPaused, this.#stop)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.delivery.ended) this.#hangUp(CANCELLED.reason)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#decoder = chooseDecoder(status, headers, {
      emit: (event) => this.delivery.emit(event),
      done: (failure) => this.#end(failure),
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    this.#watch.noteBytes()
    if (this.delivery.ended) this.#surplusBytes += bytes.length
    if (this.#surplusBytes > MAX_SURPLUS_BYTES) this.#hangUp('it goes on after its end')
    this.#decoder?.add(bytes)
  }

  onResponseEnd(): void {
    this.#close({ kind: 'malformed', reason: 'an empty answer' }, undefined)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = readConnectionError(error, this.#watch.begun)
    this.#close(failure, failure)
  }

  read(listener: ReplyListener): void {
    this.delivery.read(listener)
  }

  pause(): void {
    if (!this.#closed) this.#controller?.pause()
  }

  resume(): void {
    if (!this.#closed) this.#controller?.resume()
  }

  #end(failure: UpstreamFailure | undefined): void {
    if (this.delivery.ended) return
    this.delivery.end(failure)
    if (failure) this.#hangUp(failure.reason)
  }

  /** `ifUnread` is what it means that the connection ended before any head. */
  #close(ifUnread: UpstreamFailure, failure: UpstreamFailure | undefined): void {
    this.#closed = true
    this.#watch.stop()
    this.#signal.removeEventListener('abort', this.#onAbort)
    if (this.#decoder) this.#decoder.end(failure)
    else this.#end(ifUnread)
  }

  #hangUp(reason: string): void {
    if (!this.#closed) this.#controller?.abort(new Error(reason))
  }

  /** Because our own client is slow; after the reply's end nobody is. */
  readonly #isPaused = (): boolean => this.#controller?.paused === true && !this.delivery.ended

  readonly #stop = (failure: UpstreamFailure): void => {
    this.#decoder?.end(failure)
    this.#end(failure)
    this.#hangUp(failure.reason)
  }

  readonly #onAbort = (): void => this.#stop(CANCELLED)
}
