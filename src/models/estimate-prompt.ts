import type { Message, Prompt, Tool, ToolCall } from './prompt.ts'
import { countTokens } from './token-counter.ts'

/** What a chat template puts around each message: its start, its role, its end. */
const TOKENS_PER_MESSAGE = 4
/** The opening of the reply, which every prompt ends with. */
const TOKENS_PER_REPLY = 3
/** The keys and braces around a tool's definition, and around a call in the history. */
const TOKENS_PER_TOOL = 12
const TOKENS_PER_TOOL_CALL = 8

/** How many input tokens the prompt is likely to be billed as, by any upstream; errs upward. */
export function estimatePrompt(prompt: Prompt): number {
  let tokens = TOKENS_PER_REPLY
  for (const message of prompt.messages) tokens += estimateMessage(message)
  for (const tool of prompt.tools) tokens += estimateTool(tool)
  return tokens
}

function estimateMessage(message: Message): number {
  const tokens = TOKENS_PER_MESSAGE + countTokens(message.content ?? '')
  switch (message.role) {
    case 'system':
    case 'user':
      return tokens
    case 'assistant':
      return message.toolCalls.reduce(
        (sum, call) => sum + estimateToolCall(call),
        tokens + countTokens(message.reasoning ?? ''),
      )
    case 'tool':
      return tokens + countTokens(message.toolCallId)
  }
}

function estimateToolCall(call: ToolCall): number {
  const { id, name, arguments: callArguments } = call
  return TOKENS_PER_TOOL_CALL + countTokens(id) + countTokens(name) + countTokens(callArguments)
}

function estimateTool(tool: Tool): number {
  const { name, description, parameters } = tool
  const tokens = TOKENS_PER_TOOL + countTokens(name) + countTokens(description)
  return parameters === undefined ? tokens : tokens + countTokens(JSON.stringify(parameters))
}
