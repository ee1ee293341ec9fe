import type { ToolCall, UpstreamReply } from '#models/index.ts'
import type { FinishReason } from './map-finish-reason.ts'
import type { RelayOutput } from './relay.ts'
import type { Usage } from './usage.ts'

/** Where a streamed reply goes, part by part. */
export interface ReplySink extends RelayOutput {
  /** Sends the head and the first chunk. Called once, before any part. */
  begin(): void
  keepAlive(): void
  /** The last chunk and the end of the stream. */
  finish(finishReason: FinishReason, usage: Usage): void
  /** Breaks the stream off, so that its client cannot take it for a whole one. */
  breakOff(): void
  /** False while the client takes less than it is sent. */
  ready(): boolean
  /** Calls back when it is ready again. */
  onReady(callback: () => void): void
}

/**
 * A sink that begins when it must, never leaves its client without a sign of life, and slows the
 * upstream down to what the client takes.
 */
export class LiveSink implements RelayOutput {
  readonly #sink: ReplySink
  readonly #timer: NodeJS.Timeout
  #begun = false
  #source: UpstreamReply | undefined
  #held = false

  constructor(sink: ReplySink, keepAliveMs: number) {
    this.#sink = sink
    this.#timer = setTimeout(() => this.#signOfLife(), keepAliveMs)
    sink.onReady(() => {
      this.#held = false
      this.#source?.resume()
    })
  }

  get begun(): boolean {
    return this.#begun
  }

  begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#sink.begin()
  }

  follow(source: UpstreamReply): void {
    this.#source = source
  }

  content(text: string): void {
    this.#sink.content(text)
    this.#sent()
  }

  reasoning(text: string): void {
    this.#sink.reasoning(text)
    this.#sent()
  }

  toolCall(call: ToolCall, index: number): void {
    this.#sink.toolCall(call, index)
    this.#sent()
  }

  finish(finishReason: FinishReason, usage: Usage): void {
    this.stop()
    this.#sink.finish(finishReason, usage)
  }

  breakOff(): void {
    this.stop()
    this.#sink.breakOff()
  }

  /** Ends the signs of life. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  #signOfLife(): void {
    this.begin()
    this.#sink.keepAlive()
    this.#timer.refresh()
  }

  #sent(): void {
    this.#timer.refresh()
    if (!this.#source || this.#held || this.#sink.ready()) return
    this.#held = true
    this.#source.pause()
  }
}
