import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ReplyEvent, ReportedUsage } from '../upstream.ts'

/** Turns the parts of a provider's stream into events. */
export interface PartReader {
  read(part: LanguageModelV4StreamPart): readonly ReplyEvent[]
  /** Whether the provider said why its model stopped. */
  finished(): boolean
}

type Part<Type extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { type: Type }
>

export function createPartReader(): PartReader {
  /** Calls whose pieces were counted as they came. */
  const begun = new Set<string>()
  let finished = false

  function readToolCall({ toolCallId: id, toolName: name, input }: Part<'tool-call'>) {
    const call = { id, name, arguments: input === '' ? '{}' : input }
    const whole: ReplyEvent = { kind: 'tool_call', call }
    return begun.has(id) ? [whole] : [...readText('tool_call_piece', name + input), whole]
  }

  function readFinish({ finishReason, usage }: Part<'finish'>): ReplyEvent[] {
    // The packages end every stream with a finish; only the provider's own word is one.
    if (finishReason.raw === undefined) return []
    finished = true
    const reported = readUsage(usage)
    const finish: ReplyEvent = { kind: 'finish', reason: finishReason.unified.replace('-', '_') }
    return reported ? [{ kind: 'usage', usage: reported }, finish] : [finish]
  }

  return {
    finished: () => finished,
    read(part) {
      if (part.type === 'text-delta') return readText('content', part.delta)
      if (part.type === 'reasoning-delta') return readText('reasoning', part.delta)
      if (part.type === 'tool-input-delta') return readText('tool_call_piece', part.delta)
      if (part.type === 'tool-input-start') {
        begun.add(part.id)
        return readText('tool_call_piece', part.toolName)
      }
      if (part.type === 'tool-call') return readToolCall(part)
      return part.type === 'finish' ? readFinish(part) : []
    },
  }
}

function readText(kind: 'content' | 'reasoning' | 'tool_call_piece', text: string): ReplyEvent[] {
  return text === '' ? [] : [{ kind, text }]
}

/** Undefined unless both totals are there: cached input is input, and thoughts are output. */
function readUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): ReportedUsage | undefined {
  const { total: promptTokens } = inputTokens
  const { total: completionTokens } = outputTokens
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined
  return { promptTokens, completionTokens }
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && (value ?? -1) >= 0
}
