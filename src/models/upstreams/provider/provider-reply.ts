import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type {
  Opening,
  ReplyEvent,
  ReplyListener,
  UpstreamFailure,
  UpstreamReply,
} from '../upstream.ts'
import { createPartReader } from './read-part.ts'
import { readProviderFailure } from './read-failure.ts'

export interface ProviderPlan {
  /** Makes the request, which ends when the signal is aborted and tells of every byte. */
  start(signal: AbortSignal, onBytes: () => void): ReturnType<LanguageModelV4['doStream']>
  /** From now to the first byte of the reply's body. */
  readonly firstByteTimeoutMs: number
  /** Between bytes. */
  readonly idleTimeoutMs: number
}

/** However lively: nobody waits so long, and a hold must end some day. */
const MAX_REPLY_MS = 30 * 60_000
const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'we cancelled it' }
const NO_FINISH: UpstreamFailure = {
  kind: 'malformed',
  reason: 'the stream ended without a finish reason',
}

/** Sends a request by a provider's package and resolves at the reply's first event. */
export function openProviderReply(plan: ProviderPlan, signal: AbortSignal): Promise<Opening> {
  const reply = new ProviderReply(plan, signal)
  void reply.run()
  return reply.opening.promise
}

class ProviderReply implements UpstreamReply {
  readonly opening = Promise.withResolvers<Opening>()
  readonly #plan: ProviderPlan
  readonly #signal: AbortSignal
  readonly #connection = new AbortController()
  readonly #parts = createPartReader()
  /** What came before anyone was there to read it. */
  readonly #early: ReplyEvent[] = []
  readonly #deadlineMs = performance.now() + MAX_REPLY_MS
  #listener: ReplyListener | undefined
  #timer: NodeJS.Timeout
  /** Fulfilled when reading may go on; undefined while it may. */
  #paused: PromiseWithResolvers<void> | undefined
  /** The body's first byte has come. */
  #begun = false
  #ended = false
  #ending: UpstreamFailure | undefined

  constructor(plan: ProviderPlan, signal: AbortSignal) {
    this.#plan = plan
    this.#signal = signal
    this.#timer = setTimeout(this.#onTimeout, plan.firstByteTimeoutMs)
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  async run(): Promise<void> {
    try {
      const { stream } = await this.#plan.start(this.#connection.signal, this.#onBytes)
      await this.#readAll(stream)
    } catch (error) {
      // Once the model has finished, how the connection ends no longer matters.
      const isWhole = this.#parts.finished()
      this.#end(isWhole ? undefined : readProviderFailure(error, this.#begun))
    }
  }

  read(listener: ReplyListener): void {
    if (this.#signal.aborted) return
    for (const event of this.#early) listener.onEvent(event)
    this.#listener = listener
    if (this.#ended) listener.onEnd(this.#ending)
    else this.resume()
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
      if (this.#ended) return
      if (done) return this.#end(this.#parts.finished() ? undefined : NO_FINISH)
      if (value.type === 'error') return this.#end(readProviderFailure(value.error, true))
      for (const event of this.#parts.read(value)) this.#emit(event)
    }
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
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    // Nothing is left of a whole reply; of any other the provider is told that nobody listens.
    if (failure) this.#connection.abort()
    this.resume()
    if (this.#early.length === 0 && failure) this.opening.resolve({ kind: 'failed', failure })
    else if (!this.#signal.aborted) this.#listener?.onEnd(failure)
  }

  readonly #onBytes = (): void => {
    if (performance.now() > this.#deadlineMs) this.#end({ kind: 'timeout', reason: 'too long' })
    if (this.#ended) return
    if (this.#begun) {
      this.#timer.refresh()
      return
    }
    this.#begun = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onTimeout, this.#plan.idleTimeoutMs)
  }

  readonly #onTimeout = (): void => {
    // Silence that we asked for, because our own client is slow, is not the provider's.
    if (this.#paused) this.#timer.refresh()
    else this.#end({ kind: 'timeout', reason: this.#begun ? 'fell silent' : 'no first byte' })
  }

  readonly #onAbort = (): void => this.#end(CANCELLED)
}
