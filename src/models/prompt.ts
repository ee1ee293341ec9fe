/** A conversation as every upstream takes it: the service's words, free of any wire format. */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | AssistantMessage
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string }

export interface AssistantMessage {
  readonly role: 'assistant'
  /** Null where the message only calls tools. */
  readonly content: string | null
  readonly toolCalls: readonly ToolCall[]
  /** The trace that came with it, where the caller sends it back: a few servers want it. */
  readonly reasoning?: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON as the model or the caller wrote it; it need not parse. */
  readonly arguments: string
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** A JSON Schema object; undefined where the caller gave none. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined
}
