import type { IncomingHttpHeaders } from 'node:http'

/** One request as the fake upstream received it, and how far its answer got. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: ChatBody
  readonly receivedAtMs: number
  /** Fulfilled when the client closes before the answer ended; otherwise never. */
  readonly aborted: Promise<void>
  /** Fulfilled when nothing more will happen to this request. */
  readonly ended: Promise<Ending>
  /** Whether the whole answer was handed to the network. */
  readonly finished: boolean
  /** Bytes of the body taken by the network or by the connection's own small buffer. */
  readonly bytesWritten: number
  /** A whole reply has none. */
  readonly deltasWritten: number
}

/** `broken-off`: by a fault, or by closing the fake upstream. */
export type Ending = 'finished' | 'client-left' | 'broken-off'

/** The body as it came, unchecked: the types say what a test may expect to find. */
export interface ChatBody {
  readonly model?: string
  readonly messages?: readonly WireMessage[]
  readonly tools?: readonly unknown[]
  readonly stream?: boolean
  readonly stream_options?: {
    readonly include_usage?: boolean
    readonly continuous_usage_stats?: boolean
  }
  readonly max_tokens?: number
  readonly temperature?: number
  readonly [name: string]: unknown
}

export interface WireMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly unknown[]
  readonly [name: string]: unknown
}

/** What an answer depends on in its request. */
export interface Ask {
  readonly stream: boolean
  readonly includeUsage: boolean
  readonly continuousUsage: boolean
  readonly maxTokens: number
}

export function readAsk(body: ChatBody): Ask {
  const includeUsage = body.stream_options?.include_usage === true
  return {
    stream: body.stream === true,
    includeUsage,
    continuousUsage: includeUsage && body.stream_options?.continuous_usage_stats === true,
    maxTokens: body.max_tokens ?? 0,
  }
}
