import type { AssistantMessage, Message, Tool, ToolCall } from '../../prompt.ts'
import type { UpstreamRequest } from '../upstream.ts'

export interface WireOptions {
  /** The server's own name for the model. */
  readonly model: string
  /** Ask for totals in each chunk (vLLM): a reply that is cut off is then billed exactly. */
  readonly continuousUsage: boolean
  /** Send the reasoning of turns with tool calls back (DeepSeek wants it); others refuse the field. */
  readonly sendReasoning: boolean
}

/** Writes a request in the chat-completions format that every server of this kind takes. */
export function writeRequest(request: UpstreamRequest, options: WireOptions): string {
  const { prompt, maxTokens, temperature, streamed } = request
  return JSON.stringify({
    model: options.model,
    messages: prompt.messages.map((message) => writeMessage(message, options)),
    tools: prompt.tools.length > 0 ? prompt.tools.map(writeTool) : undefined,
    max_tokens: maxTokens,
    temperature,
    stream: streamed,
    stream_options: streamed ? writeStreamOptions(options) : undefined,
  })
}

function writeStreamOptions({ continuousUsage }: WireOptions): object {
  return continuousUsage
    ? { include_usage: true, continuous_usage_stats: true }
    : { include_usage: true }
}

function writeMessage(message: Message, options: WireOptions): object {
  switch (message.role) {
    case 'system':
    case 'user':
      return message
    case 'assistant':
      return writeAssistant(message, options)
    case 'tool':
      return { role: 'tool', content: message.content, tool_call_id: message.toolCallId }
  }
}

function writeAssistant(
  { content, toolCalls, reasoning = '' }: AssistantMessage,
  { sendReasoning }: WireOptions,
): object {
  if (toolCalls.length === 0) return { role: 'assistant', content: content ?? '' }
  return {
    role: 'assistant',
    content,
    ...(sendReasoning && { reasoning_content: reasoning }),
    tool_calls: toolCalls.map(writeToolCall),
  }
}

function writeToolCall({ id, name, arguments: args }: ToolCall): object {
  return { id, type: 'function', function: { name, arguments: args } }
}

function writeTool({ name, description, parameters }: Tool): object {
  // Several servers refuse a function without parameters, though the format lets them be left out.
  const schema = parameters ?? { type: 'object', properties: {} }
  return { type: 'function', function: { name, description, parameters: schema } }
}
