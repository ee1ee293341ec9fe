import type { ReplyEvent, ReportedUsage } from '../upstream.ts'
import { objectOf, textOf, type WireMessage } from './wire-reply.ts'

/** The text of a delta or a whole message. Servers name the reasoning trace in two ways. */
export function readTexts(message: WireMessage, emit: (event: ReplyEvent) => void): void {
  const reasoning = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  if (reasoning !== undefined) emit({ kind: 'reasoning', text: reasoning })
  const content = textOf(message.content) ?? textOf(message.refusal)
  if (content !== undefined) emit({ kind: 'content', text: content })
}

/** Undefined unless both totals are there and can be true. An explicit zero is zero. */
export function readUsage(value: unknown): ReportedUsage | undefined {
  const usage = objectOf<{ prompt_tokens?: unknown; completion_tokens?: unknown }>(value)
  if (!isCount(usage?.prompt_tokens) || !isCount(usage.completion_tokens)) return undefined
  return { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
