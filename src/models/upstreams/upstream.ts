import type { Prompt, ToolCall } from '../prompt.ts'

/** A model server, or something that stands for one. Every kind of upstream is behind this port. */
export interface Upstream {
  readonly name: string
  readonly kind: string
  /**
   * Asks for a reply and waits for the first thing that it says. Until then nothing is lost by
   * asking another upstream instead. Aborting the signal cancels the request at any time.
   */
  open(request: UpstreamRequest, signal: AbortSignal): Promise<Opening>
  /** What runs there and what it takes, for a person; only where that is ours to say. */
  describe?(): string
  close(): Promise<void>
}

export interface UpstreamRequest {
  readonly prompt: Prompt
  /** At least 1; an upstream is always told. */
  readonly maxTokens: number
  readonly temperature: number | undefined
  /** True where the caller wants the reply as it is made. */
  readonly streamed: boolean
  /** Headers that tell the server which trace this request is part of; left out where nothing is traced. */
  readonly traceHeaders?: Readonly<Record<string, string>>
}

export type Opening =
  | { readonly kind: 'opened'; readonly reply: UpstreamReply }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** A reply that has begun. It is at rest until it is read. */
export interface UpstreamReply {
  /** Hands over what has come and what comes, in order, until `onEnd`. Call it once. */
  read(listener: ReplyListener): void
  /** Back-pressure: between the two, nothing more is taken from the network. */
  pause(): void
  resume(): void
}

export interface ReplyListener {
  onEvent(event: ReplyEvent): void
  /** Called once, last; not after the signal was aborted. */
  onEnd(failure: UpstreamFailure | undefined): void
}

/** What a reply is made of, whatever the server's dialect. */
export type ReplyEvent =
  | { readonly kind: 'content'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A piece of a tool call that is not whole yet: generated, so it counts, but not to be shown. */
  | { readonly kind: 'tool_call_piece'; readonly text: string }
  | { readonly kind: 'tool_call'; readonly call: ToolCall }
  /** Totals so far: a later one replaces an earlier. */
  | { readonly kind: 'usage'; readonly usage: ReportedUsage }
  /** Why the model stopped, in the server's own word. */
  | { readonly kind: 'finish'; readonly reason: string }

export interface ReportedUsage {
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface UpstreamFailure {
  readonly kind:
    | 'unreachable'
    /** It says itself that it takes nothing now: it was not asked, and nothing failed. */
    | 'unavailable'
    | 'timeout'
    /** It answered with 429 or 5xx. */
    | 'overloaded'
    /** What it sent is not the format, or ended before its end. */
    | 'malformed'
    /** It refused this request, with another 4xx: another upstream would too. */
    | 'rejected'
    /** It says that the prompt is longer than its context window. */
    | 'context_overflow'
    /** We cancelled it. */
    | 'cancelled'
  /** For our log: never any content. */
  readonly reason: string
  /** How long it asks to be left alone, where it does. */
  readonly retryAfterMs?: number
}
