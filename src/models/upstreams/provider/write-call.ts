import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { AssistantMessage, Prompt, Tool } from '../../prompt.ts'
import type { UpstreamRequest } from '../upstream.ts'
import type { ProviderOptions } from './provider-options.ts'
import { chooseThinking } from './choose-thinking.ts'

/** Writes a request as the AI SDK's providers take it. */
export function writeCall(
  { prompt, maxTokens, temperature }: UpstreamRequest,
  options: ProviderOptions,
): LanguageModelV4CallOptions {
  const { providerOptions, addsToMaxTokens } = chooseThinking(options, prompt, maxTokens)
  return {
    prompt: writePrompt(prompt),
    // Some providers' packages add the thoughts to what they are given; the sum is what was asked for.
    maxOutputTokens: maxTokens - addsToMaxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(prompt.tools.length > 0 && { tools: prompt.tools.map(writeTool) }),
    ...(providerOptions && { providerOptions }),
  }
}

/**
 * These providers take system messages only before all others, the answers to one message's calls only
 * together, and no message that says nothing.
 */
function writePrompt({ messages }: Prompt): LanguageModelV4Message[] {
  const system: LanguageModelV4Message[] = []
  const others: LanguageModelV4Message[] = []
  const toolNames = new Map<string, string>()
  let answers: LanguageModelV4ToolResultPart[] | undefined
  for (const message of messages) {
    if (message.role !== 'tool') answers = undefined
    switch (message.role) {
      case 'system':
        system.push({ role: 'system', content: message.content })
        break
      case 'user':
        others.push({ role: 'user', content: [{ type: 'text', text: message.content }] })
        break
      case 'assistant':
        for (const { id, name } of message.toolCalls) toolNames.set(id, name)
        others.push(...writeAssistant(message))
        break
      case 'tool': {
        const { toolCallId, content } = message
        const output = { type: 'text', value: content } as const
        const toolName = toolNames.get(toolCallId) ?? ''
        if (!answers) others.push({ role: 'tool', content: (answers = []) })
        answers.push({ type: 'tool-result', toolCallId, toolName, output })
      }
    }
  }
  return [...system, ...others]
}

function writeAssistant({ content, toolCalls }: AssistantMessage): LanguageModelV4Message[] {
  const texts = content ? [{ type: 'text', text: content } as const] : []
  const calls = toolCalls.map(({ id, name, arguments: args }) => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: readInput(args) } as const
  })
  const parts = [...texts, ...calls]
  return parts.length > 0 ? [{ role: 'assistant', content: parts }] : []
}

/** Providers take an object only; what a model or a caller wrote may be anything. */
function readInput(args: string): object {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Told as it was written.
  }
  return { arguments: args }
}

function writeTool({ name, description, parameters }: Tool): LanguageModelV4FunctionTool {
  const inputSchema = parameters ?? { type: 'object', properties: {} }
  return {
    type: 'function',
    name,
    ...(description !== '' && { description }),
    // Their type is of a package of types alone, and says no more than that it is an object.
    inputSchema: inputSchema as never,
  }
}
