import { randomUUID } from 'node:crypto'
import type { UpstreamFailure, UpstreamReply, UpstreamRequest, ReplyListener } from '../upstream.ts'
import { ReplyDelivery } from '../reply-delivery.ts'
import { ReplyWatch } from '../reply-watch.ts'
import type { EngineEnd, EngineNews } from './engine-messages.ts'

const TIMEOUTS = {
  /** A prompt takes its time on a processor, and requests wait for each other. */
  firstByteTimeoutMs: 5 * 60_000,
  /** Between tokens, which others' prompts may hold up. */
  idleTimeoutMs: 2 * 60_000,
}
const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'we cancelled it' }

/** Told once that nobody waits for the rest any more, and whether that is for the engine's silence. */
type OnGivenUp = (reply: LlamaReply, isSilent: boolean) => void

/** One request to the engine and its reply, from the queue to its end. */
export class LlamaReply implements UpstreamReply {
  readonly id: number
  readonly request: UpstreamRequest
  /** Whether thoughts are wanted. */
  readonly thinks: boolean
  readonly delivery: ReplyDelivery
  readonly #signal: AbortSignal
  readonly #onGivenUp: OnGivenUp
  #watch: ReplyWatch

  constructor(
    id: number,
    request: UpstreamRequest,
    thinks: boolean,
    signal: AbortSignal,
    onGivenUp: OnGivenUp,
  ) {
    this.id = id
    this.request = request
    this.thinks = thinks
    this.delivery = new ReplyDelivery(this, signal)
    this.#signal = signal
    this.#onGivenUp = onGivenUp
    this.#watch = this.#startWatch()
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** The first token has come. */
  get begun(): boolean {
    return this.#watch.begun
  }

  /** The engine has begun with it: what it has waited so far does not count. */
  noteTurn(): void {
    this.#watch.stop()
    this.#watch = this.#startWatch()
  }

  take(news: EngineNews): void {
    if (news.kind === 'piece') {
      this.#watch.noteBytes()
      const kind = news.part === 'tool_call' ? 'tool_call_piece' : news.part
      if (news.text !== '') this.delivery.emit({ kind, text: news.text })
      this.delivery.emit({ kind: 'usage', usage: news.usage })
    } else if (news.kind === 'call') {
      const { name, arguments: text } = news
      const call = { id: `call_${randomUUID()}`, name, arguments: text }
      this.delivery.emit({ kind: 'tool_call', call })
    } else if (news.kind === 'end') {
      this.#takeEnd(news.end)
    }
  }

  end(failure: UpstreamFailure | undefined): void {
    this.#watch.stop()
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.delivery.end(failure)
  }

  read(listener: ReplyListener): void {
    this.delivery.read(listener)
  }

  /** The engine is not slowed down for a slow reader: a reply is no more than its context has room for. */
  pause(): void {}

  resume(): void {}

  #takeEnd(end: EngineEnd): void {
    switch (end.kind) {
      case 'finished':
        this.delivery.emit({ kind: 'usage', usage: end.usage })
        this.delivery.emit({ kind: 'finish', reason: end.reason })
        return this.end(undefined)
      case 'overflow':
        return this.end({ kind: 'context_overflow', reason: `${end.promptTokens} tokens` })
      case 'cancelled':
        return this.end(CANCELLED)
      case 'failed':
        return this.end({ kind: 'malformed', reason: end.reason })
    }
  }

  #startWatch(): ReplyWatch {
    return new ReplyWatch(
      TIMEOUTS,
      () => false,
      // An engine that goes on for too long is told to stop; one that says nothing hangs.
      (failure) => this.#giveUp(failure, failure.reason !== 'too long'),
    )
  }

  #giveUp(failure: UpstreamFailure, isSilent: boolean): void {
    if (this.delivery.ended) return
    this.end(failure)
    this.#onGivenUp(this, isSilent)
  }

  readonly #onAbort = (): void => this.#giveUp(CANCELLED, false)
}
