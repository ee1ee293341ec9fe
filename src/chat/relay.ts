import {
  createTokenCounter,
  type ReplyEvent,
  type ReplyListener,
  type ToolCall,
  type UpstreamFailure,
  type UpstreamReply,
} from '#models/index.ts'
import type { Exchange } from './exchange.ts'
import { mapFinishReason, type FinishReason } from './map-finish-reason.ts'
import { createThinkingSplitter, type ThinkingSplitter } from './split-thinking.ts'
import { createTally, type Tallied, type Tally } from './tally.ts'

/** Where the parts of a reply go. */
export interface RelayOutput {
  content(text: string): void
  reasoning(text: string): void
  toolCall(call: ToolCall, index: number): void
}

/** How a reply ended, and what it used until then. */
export interface Relayed {
  readonly ended: 'completed' | 'client_left' | 'upstream_failed'
  readonly finishReason: FinishReason
  readonly tallied: Tallied
  readonly failure: UpstreamFailure | undefined
  /** When the first part came, on the monotonic clock; undefined where none did. */
  readonly firstTokenAtMs: number | undefined
}

/**
 * Reads a reply to its end, passes on what the contract shows of it, and counts all of it. Resolves
 * when the upstream has ended or failed, has been cut off for going past `max_tokens`, or has been
 * cancelled because the client has left.
 */
export function relayReply(
  exchange: Exchange,
  reply: UpstreamReply,
  output: RelayOutput,
): Promise<Relayed> {
  const relay = new Relay(exchange, output)
  reply.read(relay)
  return relay.relayed.promise
}

class Relay implements ReplyListener {
  readonly relayed = Promise.withResolvers<Relayed>()
  readonly #exchange: Exchange
  readonly #output: RelayOutput
  readonly #tally: Tally
  readonly #splitter: ThinkingSplitter | undefined
  #firstTokenAtMs: number | undefined
  #finish = ''
  #toolCalls = 0
  #over = false

  constructor(exchange: Exchange, output: RelayOutput) {
    const { model, request, promptEstimate, cancel } = exchange
    this.#exchange = exchange
    this.#output = output
    this.#tally = createTally({
      promptEstimate,
      maxTokens: request.maxTokens,
      contextWindow: model.contextWindow,
    })
    if (model.reasoning) this.#splitter = createThinkingSplitter(output)
    const onAbort = (): void => this.#conclude('client_left', 'error')
    cancel.signal.addEventListener('abort', onAbort, { once: true })
    if (cancel.signal.aborted) onAbort()
  }

  onEvent(event: ReplyEvent): void {
    if (this.#over) return
    this.#firstTokenAtMs ??= performance.now()
    switch (event.kind) {
      case 'content':
      case 'reasoning':
      case 'tool_call_piece':
        return this.#onText(event.kind, event.text)
      case 'tool_call':
        // What was held back in case a tag would come of it was said before the call.
        this.#splitter?.end()
        return this.#output.toolCall(event.call, this.#toolCalls++)
      case 'usage':
        return this.#tally.report(event.usage)
      case 'finish':
        this.#finish = event.reason
    }
  }

  onEnd(failure: UpstreamFailure | undefined): void {
    if (!this.#over) this.#splitter?.end()
    if (failure) this.#conclude('upstream_failed', 'error', failure)
    else this.#conclude('completed')
  }

  #onText(kind: 'content' | 'reasoning' | 'tool_call_piece', text: string): void {
    const left = this.#tally.left()
    this.#tally.count(text)
    if (!this.#tally.overran()) return this.#pass(kind, text)
    this.#pass(kind, takeTokens(text, left))
    this.#splitter?.end()
    this.#conclude('completed', 'length')
    this.#exchange.cancel.abort()
  }

  #pass(kind: 'content' | 'reasoning' | 'tool_call_piece', text: string): void {
    if (text === '' || kind === 'tool_call_piece') return
    // Models without the reasoning field keep their thoughts to themselves; they are billed alike.
    if (kind === 'reasoning' && !this.#exchange.model.reasoning) return
    if (kind === 'content' && this.#splitter) this.#splitter.add(text)
    else this.#output[kind](text)
  }

  #conclude(ended: Relayed['ended'], finishReason?: FinishReason, failure?: UpstreamFailure): void {
    if (this.#over) return
    this.#over = true
    const tallied = this.#tally.result()
    const told = tallied.beyondLimit ? 'length' : mapFinishReason(this.#finish, this.#toolCalls > 0)
    this.relayed.resolve({
      ended,
      finishReason: finishReason ?? told,
      tallied,
      failure,
      firstTokenAtMs: this.#firstTokenAtMs,
    })
  }
}

/** The beginning of a text that has at most so many tokens. */
function takeTokens(text: string, tokens: number): string {
  const counter = createTokenCounter()
  let end = 0
  for (const character of text) {
    counter.add(character)
    if (counter.tokens > tokens) break
    end += character.length
  }
  return text.slice(0, end)
}
