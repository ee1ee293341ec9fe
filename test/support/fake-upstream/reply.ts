/**
 * What the fake upstream is to answer, in the service's own words. A plain `{ content: 'Hello' }`
 * is a good answer; everything else makes it stranger, slower or worse. What is scripted is what
 * is sent: the fake does not cut a reply at `max_tokens`.
 */
export interface Reply {
  readonly content?: string
  /** The content as a stream splits it, in its place. Default: one word each. */
  readonly deltas?: readonly string[]
  /** Streamed one word each, before the content. */
  readonly reasoning?: string
  /** Streamed after the content. */
  readonly toolCalls?: readonly PlannedToolCall[]
  /** Default: what the dialect's server does. */
  readonly toolCallShape?: ToolCallShape
  /** Any text, known or not. Default: `stop`, or `tool_calls` where there are some. */
  readonly finish?: string
  /**
   * Default: 10 prompt tokens and one completion token for each delta. A stream shows it only as
   * the dialect's server would; `none` leaves it out even where it was asked for.
   */
  readonly usage?: PlannedUsage | 'none' | 'zero'
  /** Default: `openai`. */
  readonly dialect?: Dialect
  readonly framing?: Framing
  readonly pace?: Pace
  readonly pauses?: readonly Pause[]
  readonly fault?: Fault
}

export type Dialect =
  | 'openai'
  | 'vllm'
  /** The same with the overflow message of vLLM 0.16. */
  | 'vllm-0.16'
  | 'vllm-old'
  | 'sglang'
  | 'llama.cpp'
  | 'ollama'
  | 'deepseek'
  | 'openrouter'

export interface PlannedToolCall {
  /** Default: what the dialect's server sends. Null leaves the key out. */
  readonly id?: string | null
  readonly name: string
  readonly arguments: string
  /** How a stream splits the arguments. Default: eight characters each. */
  readonly fragments?: readonly string[]
}

/**
 * - `fragments`: a call is opened, its arguments follow in pieces, then the next call.
 * - `interleaved`: all calls are opened, then their pieces come in turns, told apart by index.
 * - `whole`: one chunk for each call.
 */
export type ToolCallShape = 'fragments' | 'interleaved' | 'whole'

/** Figures are sent as they stand, so that they can lie in value and in type. */
export interface PlannedUsage {
  readonly promptTokens: Figure
  readonly completionTokens: Figure
  /** Default: the sum, where both are numbers. */
  readonly totalTokens?: Figure
  readonly reasoningTokens?: Figure
  readonly cachedTokens?: Figure
}

export type Figure = number | string | null

export const lyingUsages = {
  negative: { promptTokens: -5, completionTokens: -7 },
  strings: { promptTokens: '12', completionTokens: '7' },
  words: { promptTokens: 'many', completionTokens: 'some' },
  fractions: { promptTokens: 1.5, completionTokens: 2.5 },
  nulls: { promptTokens: null, completionTokens: null },
  absurd: { promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 1e300 },
} satisfies Record<string, PlannedUsage>

export interface Framing {
  /** Default: `\n`. */
  readonly lineEnding?: '\n' | '\r\n' | '\r'
  readonly noSpaceAfterData?: boolean
  /** A comment line sent before every event; '' is a bare colon. */
  readonly comment?: string
  /** Lines put above each event's data, such as `event: message` or `id: 7`. */
  readonly extraLines?: readonly string[]
  readonly byteOrderMark?: boolean
  /** Offsets in the body at which one write ends and the next begins; `every` is each byte alone. */
  readonly splitAtBytes?: readonly number[] | 'every'
  /** So many events in one write. A pause or fault ends the write early. */
  readonly coalesce?: number
}

/** Delays by the clock. Prefer pauses where a test only needs an order of things. */
export interface Pace {
  readonly beforeHeadMs?: number
  readonly beforeDeltaMs?: number
  /** Sends the body one byte at a time, this long before each. */
  readonly beforeByteMs?: number
}

/**
 * A place in a reply. Deltas are the chunks with content, reasoning or a piece of a tool call,
 * counted from 1. A whole JSON reply has only the two head points and its middle, which stands for
 * all the others.
 */
export type Point =
  | 'before-head'
  | 'after-head'
  | `after-delta-${number}`
  | 'after-finish'
  | 'before-done'

export type BodyPoint = Exclude<Point, 'before-head'>

/** The reply stops at the point until the promise is fulfilled or the client leaves. */
export interface Pause {
  readonly at: Point
  readonly until: Promise<unknown>
}

/** At a point with both a pause and a fault, the pause comes first. */
export type Fault =
  /** Default body: an error in the dialect's shape. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The prompt does not fit, said as the dialect's server says it. */
  | {
      readonly kind: 'context-overflow'
      readonly promptTokens?: number
      readonly contextTokens?: number
    }
  /** A proxy's page. Default status: 200. */
  | { readonly kind: 'html'; readonly status?: number }
  /** Default body: `{ "hello": "world" }`. */
  | { readonly kind: 'not-the-format'; readonly body?: unknown }
  | { readonly kind: 'empty-body' }
  /** Half of the body's bytes, then a clean end. */
  | { readonly kind: 'truncated-body' }
  /** A TCP reset. */
  | { readonly kind: 'reset'; readonly at: Point }
  /** The connection closes without the last HTTP chunk. */
  | { readonly kind: 'cut'; readonly at: Point }
  /** Nothing more comes until the client leaves. */
  | { readonly kind: 'hang'; readonly at: Point }
  /** A clean end of the body. Not before the head. */
  | { readonly kind: 'end'; readonly at: BodyPoint }
  /** An event that is not a chunk (default data: broken JSON); the rest follows. */
  | { readonly kind: 'malformed-event'; readonly at: BodyPoint; readonly data?: string }
  /** `data: {"error": …}`, after which the body ends. A whole reply is that error, with a 200. */
  | { readonly kind: 'error-event'; readonly at: BodyPoint }
  /** So many deltas more than the request's `max_tokens`. */
  | { readonly kind: 'overrun'; readonly extraTokens: number }
  | { readonly kind: 'endless' }
  | { readonly kind: 'huge-delta'; readonly sizeBytes: number }
  /** In deltas of 16 KiB, or one JSON body made as it is sent. */
  | { readonly kind: 'huge-reply'; readonly sizeBytes: number }
