import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ReplyDelivery } from '../reply-delivery.ts'
import { ReplyWatch, type ReplyTimeouts } from '../reply-watch.ts'
import type { Opening, ReplyListener, UpstreamFailure, UpstreamReply } from '../upstream.ts'
import { createPartReader } from './read-part.ts'
import { readProviderFailure } from './read-failure.ts'

export interface ProviderPlan extends ReplyTimeouts {
  /** Makes the request, which ends when the signal is aborted and tells of every byte. */
  start(signal: AbortSignal, onBytes: () => void): ReturnType<LanguageModelV4['doStream']>
}

const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'we cancelled it' }
const NO_FINISH: UpstreamFailure = {
  kind: 'malformed',
  reason: 'the stream ended without a finish reason',
}

/** Sends a request by a provider's package and resolves at the reply's first event. */
export function openProviderReply(plan: ProviderPlan, signal: AbortSignal): Promise<Opening> {
  const reply = new ProviderReply(plan, signal)
  void reply.run()
  return reply.delivery.opening.promise
}

class ProviderReply implements UpstreamReply {
  readonly delivery: ReplyDelivery
  readonly #plan: ProviderPlan
  readonly #signal: AbortSignal
  readonly #watch: ReplyWatch
  readonly #connection = new AbortController()
  readonly #parts = createPartReader()
  /** Fulfilled when reading may go on; undefined while it may. */
  #paused: PromiseWithResolvers<void> | undefined

  constructor(plan: ProviderPlan, signal: AbortSignal) {
    this.delivery = new ReplyDelivery(this, signal)
    this.#plan = plan
    this.#signal = signal
    this.#watch = new ReplyWatch(plan, () => this.#paused !== undefined, this.#end)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  async run(): Promise<void> {
    try {
      const onBytes = (): void => this.#watch.noteBytes()
      const { stream } = await this.#plan.start(this.#connection.signal, onBytes)
      await this.#readAll(stream)
    } catch (error) {
      // Once the model has finished, how the connection ends no longer matters.
      const isWhole = this.#parts.finished()
      this.#end(isWhole ? undefined : readProviderFailure(error, this.#watch.begun))
    }
  }

  read(listener: ReplyListener): void {
    this.delivery.read(listener)
  }

  pause(): void {
    this.#paused ??= Promise.withResolvers()
  }

  resume(): void {
    this.#paused?.resolve()
    this.#paused = undefined
  }

  async #readAll(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<void> {
    const reader = stream.getReader()
    for (;;) {
      await this.#paused?.promise
      const { done, value } = await reader.read()
      if (this.delivery.ended) return
      if (done) return this.#end(this.#parts.finished() ? undefined : NO_FINISH)
      if (value.type === 'error') return this.#end(readProviderFailure(value.error, true))
      for (const event of this.#parts.read(value)) this.delivery.emit(event)
    }
  }

  readonly #end = (failure: UpstreamFailure | undefined): void => {
    if (this.delivery.ended) return
    this.#watch.stop()
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.delivery.end(failure)
    // Nothing is left of a whole reply; of any other the provider is told that nobody listens.
    if (failure) this.#connection.abort()
    this.resume()
  }

  readonly #onAbort = (): void => this.#end(CANCELLED)
}
