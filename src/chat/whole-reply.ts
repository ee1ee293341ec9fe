import type { ToolCall } from '#models/index.ts'
import type { FinishReason } from './map-finish-reason.ts'
import type { RelayOutput } from './relay.ts'
import type { Usage } from './usage.ts'

/** A reply in one piece. */
export interface Completion {
  readonly content: string
  /** Undefined where the model has no reasoning field or sent none. */
  readonly reasoning: string | undefined
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: FinishReason
  readonly usage: Usage
}

export interface CompletionParts extends RelayOutput {
  complete(finishReason: FinishReason, usage: Usage): Completion
}

/** Gathers the parts of a reply. */
export function gatherReply(): CompletionParts {
  const content: string[] = []
  const reasoning: string[] = []
  const toolCalls: ToolCall[] = []
  return {
    content: (text) => content.push(text),
    reasoning: (text) => reasoning.push(text),
    toolCall: (call) => toolCalls.push(call),
    complete: (finishReason, usage) => ({
      content: content.join(''),
      reasoning: reasoning.length > 0 ? reasoning.join('') : undefined,
      toolCalls,
      finishReason,
      usage,
    }),
  }
}
