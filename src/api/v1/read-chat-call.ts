import { Fault } from '#platform/fault.ts'
import type { ChatCall } from '#chat/index.ts'
import type { Brand, Message, Tool, ToolCall } from '#models/index.ts'
import type { ChatRequest } from '../contract/index.ts'
import { findHistoryProblem } from './find-history-problem.ts'

type WireMessage = ChatRequest['messages'][number]
type WireToolCall = NonNullable<(WireMessage & { role: 'assistant' })['tool_calls']>[number]
type WireTool = NonNullable<ChatRequest['tools']>[number]

/**
 * Translates a body, or says what is wrong with it first: `misfit` is what its schema says, and what
 * the schema cannot say is looked for where it lets the messages pass, for they come first.
 */
export function readChatCall(
  brand: Brand,
  body: unknown,
  misfit: Fault | undefined,
): ChatCall | Fault {
  if (misfit && !isBehindMessages(misfit)) return misfit
  const request = body as ChatRequest
  const problem = findHistoryProblem(request.messages)
  if (problem !== undefined) return new Fault('invalid_request', problem)
  return misfit ?? readRequest(brand, request)
}

/** True where the messages fit, and only a field that comes after them does not. */
function isBehindMessages({ message }: Fault): boolean {
  return /^(tools|stream|max_tokens|temperature)\b/.test(message)
}

/** Null on an optional field is the same as leaving it out. */
function readRequest(brand: Brand, body: ChatRequest): ChatCall | Fault {
  const tools = body.tools ?? []
  const tooDeep = tools.findIndex((tool) => isTooDeep(tool.function.parameters, MAX_DEPTH))
  if (tooDeep >= 0) {
    return new Fault(
      'invalid_request',
      `tools[${tooDeep}].function.parameters: must be nested at most ${MAX_DEPTH} levels deep`,
    )
  }
  return {
    brand,
    prompt: { messages: body.messages.map(readMessage), tools: tools.map(readTool) },
    maxTokens: body.max_tokens ?? undefined,
    temperature: body.temperature ?? undefined,
    streamed: body.stream ?? false,
  }
}

const MAX_REASONING = 200_000

/** Deeper schemas describe nothing real, and could exhaust the stack of whoever writes them out. */
const MAX_DEPTH = 100

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((child) => isTooDeep(child, levels - 1))
}

function readMessage(message: WireMessage): Message {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content }
    case 'assistant': {
      const toolCalls = (message.tool_calls ?? []).map(readToolCall)
      const reasoning = toolCalls.length > 0 ? readReasoning(message) : {}
      return { role: 'assistant', content: message.content ?? null, toolCalls, ...reasoning }
    }
    case 'tool':
      return { role: 'tool', content: message.content, toolCallId: message.tool_call_id }
  }
}

/**
 * Not a field of the contract, so never refused; clients that replay our replies send it along. No model
 * is ever told that of a turn without tool calls, so nobody pays for it, nor has tokens held for it.
 */
function readReasoning(message: object): { reasoning?: string } {
  const reasoning = 'reasoning_content' in message ? message.reasoning_content : undefined
  const usable = typeof reasoning === 'string' && reasoning.length <= MAX_REASONING
  return usable ? { reasoning } : {}
}

function readToolCall({ id, function: { name, arguments: args } }: WireToolCall): ToolCall {
  return { id, name, arguments: args ?? '{}' }
}

function readTool({ function: { name, description, parameters } }: WireTool): Tool {
  return { name, description: description ?? '', parameters: parameters ?? undefined }
}
