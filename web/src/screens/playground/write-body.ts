import type { ChatRequest, Message } from 'parley-client'
import type { Brand, Turn } from './conversation.ts'
import { readTools, type ToolsProblem } from './read-tools.ts'

/** What is typed in beside the conversation, as it is typed. */
export interface Settings {
  readonly brand: Brand
  readonly system: string
  readonly temperature: string
  readonly maxTokens: string
  /** JSON. */
  readonly tools: string
}

export interface SettingsProblems {
  readonly temperature?: 'temperature'
  readonly maxTokens?: 'maxTokens'
  readonly tools?: ToolsProblem
}

/** What of the settings the service would refuse; that is told beside each, before it is asked. */
export function findProblems(settings: Settings, takesTools: boolean): SettingsProblems {
  const temperature = readNumber(settings.temperature)
  const maxTokens = readNumber(settings.maxTokens)
  const tools = takesTools ? readTools(settings.tools) : undefined
  return {
    ...(temperature !== undefined &&
      !(temperature >= 0 && temperature <= 2) && { temperature: 'temperature' }),
    ...(maxTokens !== undefined &&
      !(Number.isSafeInteger(maxTokens) && maxTokens >= 1) && { maxTokens: 'maxTokens' }),
    ...(tools?.kind === 'problem' && { tools: tools.problem }),
  }
}

/** The request that stands for the conversation and its settings, which have no problems. */
export function writeBody(
  settings: Settings,
  takesTools: boolean,
  turns: readonly Turn[],
): ChatRequest {
  const temperature = readNumber(settings.temperature)
  const maxTokens = readNumber(settings.maxTokens)
  const tools = takesTools ? readTools(settings.tools) : undefined
  return {
    messages: [...writeSystem(settings), ...turns.flatMap(writeTurn)],
    ...(tools?.kind === 'tools' && tools.tools.length > 0 && { tools: tools.tools }),
    ...(maxTokens !== undefined && { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
  }
}

function writeSystem({ system }: Settings): Message[] {
  return system.trim() === '' ? [] : [{ role: 'system', content: system }]
}

function writeTurn(turn: Turn): Message[] {
  switch (turn.kind) {
    case 'user':
      return [{ role: 'user', content: turn.content }]
    case 'result':
      return [{ role: 'tool', content: turn.content, tool_call_id: turn.call.id }]
    case 'reply': {
      const { content } = turn
      // Nobody gives results for calls of a reply that broke off.
      const toolCalls = turn.state === 'failed' ? [] : [...turn.toolCalls]
      // One that failed or was stopped before its first word has said nothing.
      if (content === '' && toolCalls.length === 0) return []
      const calls = toolCalls.length > 0 && { tool_calls: toolCalls }
      return [{ role: 'assistant', content, ...calls }]
    }
  }
}

/** Undefined where nothing is given; NaN for what is no number. A decimal comma is one in Portuguese. */
export function readNumber(text: string): number | undefined {
  const given = text.trim().replace(',', '.')
  return given === '' ? undefined : Number(given)
}
