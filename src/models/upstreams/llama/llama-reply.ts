import { randomUUID } from 'node:crypto'
import type {
  Opening,
  ReplyEvent,
  ReplyListener,
  UpstreamFailure,
  UpstreamReply,
  UpstreamRequest,
} from '../upstream.ts'
import type { EngineEnd, EngineNews } from './engine-messages.ts'

/** A prompt takes its time on a processor, and requests wait for each other. */
const FIRST_TOKEN_MS = 5 * 60_000
/** Between tokens, which others' prompts may hold up. */
const SILENCE_MS = 2 * 60_000
/** However lively: nobody waits so long, and a hold must end some day. */
const MAX_REPLY_MS = 30 * 60_000
const CANCELLED: UpstreamFailure = { kind: 'cancelled', reason: 'we cancelled it' }

/** Told once that nobody waits for the rest any more, and whether that is for the engine's silence. */
type OnGivenUp = (reply: LlamaReply, isSilent: boolean) => void

/** One request to the engine and its reply, from the queue to its end. */
export class LlamaReply implements UpstreamReply {
  readonly id: number
  readonly request: UpstreamRequest
  /** Whether thoughts are wanted. */
  readonly thinks: boolean
  readonly opening = Promise.withResolvers<Opening>()
  readonly #signal: AbortSignal
  readonly #onGivenUp: OnGivenUp
  readonly #deadlineMs = performance.now() + MAX_REPLY_MS
  /** What came while nobody read; a reply's tokens are bounded, so this is. */
  readonly #kept: ReplyEvent[] = []
  #listener: ReplyListener | undefined
  #timer = setTimeout(() => this.#giveUp('no first token', true), FIRST_TOKEN_MS)
  #begun = false
  #paused = true
  #ended = false
  #ending: UpstreamFailure | undefined

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
    this.#signal = signal
    this.#onGivenUp = onGivenUp
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  get begun(): boolean {
    return this.#begun
  }

  /** The engine has begun with it. */
  noteTurn(): void {
    this.#timer.refresh()
  }

  take(news: EngineNews): void {
    if (news.kind === 'piece') {
      this.#noteToken()
      const kind = news.part === 'tool_call' ? 'tool_call_piece' : news.part
      if (news.text !== '') this.#emit({ kind, text: news.text })
      this.#emit({ kind: 'usage', usage: news.usage })
    } else if (news.kind === 'call') {
      const { name, arguments: text } = news
      const call = { id: `call_${randomUUID()}`, name, arguments: text }
      this.#emit({ kind: 'tool_call', call })
    } else if (news.kind === 'end') {
      this.#takeEnd(news.end)
    }
  }

  end(failure: UpstreamFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    this.#ending = failure
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
    if (!this.#begun && failure) this.opening.resolve({ kind: 'failed', failure })
    else this.#hand()
  }

  read(listener: ReplyListener): void {
    if (this.#signal.aborted) return
    this.#listener = listener
    this.resume()
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#hand()
  }

  #takeEnd(end: EngineEnd): void {
    switch (end.kind) {
      case 'finished':
        this.#emit({ kind: 'usage', usage: end.usage })
        this.#emit({ kind: 'finish', reason: end.reason })
        return this.end(undefined)
      case 'overflow':
        return this.end({ kind: 'context_overflow', reason: `${end.promptTokens} tokens` })
      case 'cancelled':
        return this.end(CANCELLED)
      case 'failed':
        return this.end({ kind: 'malformed', reason: end.reason })
    }
  }

  #emit(event: ReplyEvent): void {
    if (this.#ended) return
    this.#kept.push(event)
    if (this.#begun) return this.#hand()
    this.#begun = true
    this.opening.resolve({ kind: 'opened', reply: this })
  }

  /** Hands over what is kept, for as long as it is wanted. */
  #hand(): void {
    for (;;) {
      const listener = this.#listener
      if (this.#paused || !listener || this.#signal.aborted) return
      const event = this.#kept.shift()
      if (event) {
        listener.onEvent(event)
        continue
      }
      if (this.#ended) {
        this.#listener = undefined
        listener.onEnd(this.#ending)
      }
      return
    }
  }

  #noteToken(): void {
    clearTimeout(this.#timer)
    if (this.#ended) return
    if (performance.now() > this.#deadlineMs) this.#giveUp('too long', false)
    else this.#timer = setTimeout(() => this.#giveUp('fell silent', true), SILENCE_MS)
  }

  #giveUp(reason: string, isSilent: boolean): void {
    this.end({ kind: 'timeout', reason })
    this.#onGivenUp(this, isSilent)
  }

  readonly #onAbort = (): void => {
    this.end(CANCELLED)
    this.#onGivenUp(this, false)
  }
}
