import { splitWords } from './content.ts'
import { headPart, type Part } from './parts.ts'
import { planToolCallDeltas, planToolCalls } from './tool-calls.ts'
import { nameFinish, replyIdentity, type Turn } from './turn.ts'
import { describeUsage } from './usage.ts'

/** Stands in the body for the content, which may be too large to hold. */
const placeholder = '\u0000content\u0000'

/** The JSON body of a whole reply in parts; the content is made as it is sent. */
export function* makeCompletionParts(turn: Turn): Generator<Part> {
  const [head = '', tail = ''] = writeCompletion(turn).split(
    JSON.stringify(placeholder).slice(1, -1),
  )
  yield headPart
  yield { bytes: Buffer.from(head), reaches: ['middle'] }
  for (const text of turn.content.texts) {
    yield { bytes: Buffer.from(JSON.stringify(text).slice(1, -1)), reaches: [] }
  }
  yield { bytes: Buffer.from(tail), reaches: [] }
}

function writeCompletion(turn: Turn): string {
  const { reply, rules, content } = turn
  const toolCalls = planToolCalls(reply, rules)
  const deltaCount =
    splitWords(reply.reasoning ?? '').length +
    content.count +
    planToolCallDeltas(reply, rules).length
  const usage = describeUsage(reply, deltaCount)
  const message = {
    role: 'assistant',
    content: content.count === 0 && toolCalls.length > 0 ? null : placeholder,
    ...(reply.reasoning !== undefined && rules.reasoning(reply.reasoning)),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
  return JSON.stringify({
    ...replyIdentity,
    object: 'chat.completion',
    ...rules.envelope,
    choices: [{ index: 0, message, logprobs: null, finish_reason: nameFinish(reply) }],
    ...(usage !== undefined && { usage }),
  })
}
