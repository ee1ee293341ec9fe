import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceParser } from 'eventsource-parser'
import type { UpstreamFailure } from '../upstream.ts'
import { createToolCallAssembly } from './assemble-tool-calls.ts'
import type { DecoderOutput, ReplyDecoder } from './choose-decoder.ts'
import { ContentForm } from './content-form.ts'
import { readErrorReply } from './failures.ts'
import { readTexts, readUsage } from './read-message.ts'
import { firstChoice, parseWireReply, textOf, type WireReply } from './wire-reply.ts'

/** Far above any honest event: a line without an end must not fill the memory. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024

const NO_FINISH: UpstreamFailure = {
  kind: 'malformed',
  reason: 'the stream ended without a finish reason',
}

/** Decodes a reply sent as server-sent events. */
export function createStreamDecoder(output: DecoderOutput): ReplyDecoder {
  return new StreamDecoder(output)
}

class StreamDecoder implements ReplyDecoder {
  readonly #output: DecoderOutput
  readonly #text = new StringDecoder('utf8')
  readonly #toolCalls = createToolCallAssembly()
  readonly #form = new ContentForm()
  readonly #parser: EventSourceParser
  /** The first character has come; before it a byte order mark may stand. */
  #begun = false
  #finished = false
  #ended = false

  constructor(output: DecoderOutput) {
    this.#output = output
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => this.#onData(data),
      onError: ({ type }) => {
        if (type !== 'max-buffer-size-exceeded') return
        this.#done({ kind: 'malformed', reason: 'an endless event' })
      },
    })
  }

  add(bytes: Buffer): void {
    if (this.#ended) return
    const text = this.#text.write(bytes)
    this.#parser.feed(this.#begun ? text : text.replace(/^\uFEFF/, ''))
    this.#begun ||= text !== ''
  }

  end(failure: UpstreamFailure | undefined): void {
    // The last event may lack its blank line.
    if (!this.#ended && !failure) this.#parser.reset({ consume: true })
    this.#done(failure ?? NO_FINISH)
  }

  #done(failure: UpstreamFailure | undefined): void {
    if (this.#ended) return
    this.#ended = true
    // Once the model has finished, how the connection ends no longer matters.
    this.#output.done(this.#finished ? undefined : failure)
  }

  #onData(data: string): void {
    if (this.#ended) return
    const content = this.#finished ? undefined : this.#form.read(data)
    if (content !== undefined) return this.#output.emit({ kind: 'content', text: content })
    if (data === '[DONE]') return this.#done(NO_FINISH)
    const reply = parseWireReply(data)
    if (!reply) return this.#done({ kind: 'malformed', reason: 'an event that is no JSON object' })
    if (reply.error) return this.#done(readErrorReply(reply.error))
    this.#readChunk(reply)
    this.#form.learn(data, reply)
  }

  #readChunk(chunk: WireReply): void {
    const { emit } = this.#output
    const choice = firstChoice(chunk)
    const message = choice?.delta ?? choice?.message
    if (message && !this.#finished) {
      readTexts(message, emit)
      const piece = this.#toolCalls.add(message.tool_calls)
      if (piece !== '') emit({ kind: 'tool_call_piece', text: piece })
    }
    // Usage may come with each chunk, with the finish, or after it with no choice at all.
    const usage = readUsage(chunk.usage)
    if (usage) emit({ kind: 'usage', usage })
    const reason = textOf(choice?.finish_reason)
    if (reason !== undefined) this.#finish(reason)
  }

  #finish(reason: string): void {
    if (this.#finished) return
    this.#finished = true
    for (const call of this.#toolCalls.finish()) this.#output.emit({ kind: 'tool_call', call })
    this.#output.emit({ kind: 'finish', reason })
  }
}
