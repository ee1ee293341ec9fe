import type {
  Opening,
  ReplyEvent,
  ReplyListener,
  UpstreamFailure,
  UpstreamReply,
} from './upstream.ts'

/** The side of a reply that faces its reader, whatever the upstream's kind: events in order, the end once. */
export class ReplyDelivery {
  readonly opening = Promise.withResolvers<Opening>()
  readonly #reply: UpstreamReply
  readonly #signal: AbortSignal
  /** What came before anyone was there to read it. */
  readonly #early: ReplyEvent[] = []
  #listener: ReplyListener | undefined
  #ended = false
  #ending: UpstreamFailure | undefined

  constructor(reply: UpstreamReply, signal: AbortSignal) {
    this.#reply = reply
    this.#signal = signal
  }

  /** The reply is over, well or not; its connection may not be. */
  get ended(): boolean {
    return this.#ended
  }

  /** The first event opens the reply, which then is at rest until it is read. */
  emit(event: ReplyEvent): void {
    if (this.#ended) return
    if (this.#listener) return this.#listener.onEvent(event)
    this.#early.push(event)
    if (this.#early.length > 1) return
    this.#reply.pause()
    this.opening.resolve({ kind: 'opened', reply: this.#reply })
  }

  /** Once: whatever is said of the end later is passed over. */
  end(failure: UpstreamFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#ending = failure
    if (this.#early.length === 0 && failure) this.opening.resolve({ kind: 'failed', failure })
    else if (!this.#signal.aborted) this.#listener?.onEnd(failure)
  }

  read(listener: ReplyListener): void {
    if (this.#signal.aborted) return
    for (const event of this.#early) listener.onEvent(event)
    this.#listener = listener
    if (this.#ended) listener.onEnd(this.#ending)
    else this.#reply.resume()
  }
}
