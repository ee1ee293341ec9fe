/** What goes over the wire, as the service's contract has it. Tests hold these types against it. */

export type Brand = 'air' | 'prime' | 'nova'

export interface ToolCall {
  id: string
  type?: 'function'
  function: {
    name: string
    /** JSON, as the model wrote it; "{}" where it is left out. */
    arguments?: string
  }
}

export interface SystemMessage {
  role: 'system'
  content: string
}

export interface UserMessage {
  role: 'user'
  content: string
}

export interface AssistantMessage {
  role: 'assistant'
  content?: string | null
  tool_calls?: ToolCall[]
}

export interface ToolMessage {
  role: 'tool'
  content: string
  tool_call_id: string
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

export interface Tool {
  type?: 'function'
  function: {
    name: string
    description?: string
    /** A JSON Schema of an object: the arguments. */
    parameters?: Record<string, unknown>
  }
}

/** A request without `stream`: which of the client's functions is called says that. */
export interface ChatRequest {
  messages: Message[]
  /** For prime and nova only. */
  tools?: Tool[]
  /** The most tokens that the reply may have; the model's own maximum where it is left out. */
  max_tokens?: number
  /** 0 to 2; lower is more deterministic. */
  temperature?: number
}

/**
 * stop: the model finished. length: `max_tokens` was reached. tool_calls: the model waits for a function.
 * content_filter: the provider withheld the rest. error: the reply broke off.
 */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error'

/** The tokens that the request is charged for. */
export interface Usage {
  prompt_tokens: number
  /** Reasoning included. */
  completion_tokens: number
  total_tokens: number
}

export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  /** Unix time in seconds. */
  created: number
  model: string
  choices: {
    index: number
    message: {
      role: 'assistant'
      content: string
      tool_calls?: ToolCall[]
      /** The reasoning trace; nova only. */
      reasoning_content?: string
    }
    finish_reason: FinishReason
  }[]
  usage: Usage
}

export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: 0
    delta: {
      role?: 'assistant'
      content?: string
      reasoning_content?: string
      /** Each call whole, with its place among the calls of the reply. */
      tool_calls?: (ToolCall & { index: number })[]
    }
    /** Null on all but the last. */
    finish_reason: FinishReason | null
  }[]
  /** On the last. */
  usage?: Usage
}

export interface Model {
  id: string
  object: 'model'
  owned_by: string
  endpoint: `/v1/chat/${Brand}`
  /** In tokens. */
  context_window: number
  max_output_tokens: number
  /** Whether replies carry `reasoning_content`. */
  reasoning: boolean
  /** Euros for a million tokens. */
  pricing_eur_per_1m: { inPerM: number; outPerM: number }
}
