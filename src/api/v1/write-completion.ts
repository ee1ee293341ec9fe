import type { Completion } from '#chat/index.ts'
import type { ToolCall } from '#models/index.ts'
import type { ChatCompletion } from '../contract/index.ts'

export interface ReplyIdentity {
  readonly id: string
  readonly created: number
  readonly model: string
}

type WireToolCall = NonNullable<ChatCompletion['choices'][number]['message']['tool_calls']>[number]

export function writeCompletion(identity: ReplyIdentity, completion: Completion): ChatCompletion {
  const { content, reasoning, toolCalls, finishReason, usage } = completion
  return {
    id: identity.id,
    object: 'chat.completion',
    created: identity.created,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(writeToolCall) }),
          ...(reasoning !== undefined && { reasoning_content: reasoning }),
        },
        finish_reason: finishReason,
      },
    ],
    usage: writeUsage(usage),
  }
}

export function writeUsage({ promptTokens, completionTokens }: Completion['usage']) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

export function writeToolCall({ id, name, arguments: args }: ToolCall): WireToolCall {
  return { id, type: 'function', function: { name, arguments: args } }
}
