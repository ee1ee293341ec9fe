import type { ChatRequest } from '../contract/index.ts'

type WireMessage = ChatRequest['messages'][number]

/**
 * What is wrong with a conversation as a whole, with its place, or undefined. Tool messages directly
 * follow the assistant message whose calls they answer, one for each call; an id may come again in a
 * later turn.
 */
export function findHistoryProblem(messages: readonly WireMessage[]): string | undefined {
  if (!messages.some(({ role }) => role === 'user' || role === 'assistant')) {
    return 'messages: must include at least one user or assistant message'
  }
  let index = 0
  while (index < messages.length) {
    const answersEnd = findAnswersEnd(messages, index + 1)
    const problem = findTurnProblem(messages, index, answersEnd)
    if (problem !== undefined) return problem
    index = answersEnd
  }
  return undefined
}

/** Where the run of tool messages that begins here ends. */
function findAnswersEnd(messages: readonly WireMessage[], start: number): number {
  let end = start
  while (messages[end]?.role === 'tool') end += 1
  return end
}

/** A turn is one message and the tool messages that follow it. */
function findTurnProblem(
  messages: readonly WireMessage[],
  start: number,
  end: number,
): string | undefined {
  const first = messages[start]
  if (first?.role === 'tool') {
    return `messages[${start}].tool_call_id: answers no tool call of the message before`
  }
  const calls = first?.role === 'assistant' ? (first.tool_calls ?? []) : []
  const open = new Set<string>()
  const answers = messages.slice(start + 1, end).map((answer) => answerId(answer))
  for (const [place, { id }] of calls.entries()) {
    const path = `messages[${start}].tool_calls[${place}].id`
    if (open.has(id)) return `${path}: ${id} is the id of an earlier call of the same message`
    if (!answers.includes(id)) return `${path}: no tool message answers ${id}`
    open.add(id)
  }
  for (const [place, id] of answers.entries()) {
    if (open.delete(id)) continue
    const answered = calls.some((call) => call.id === id)
    const path = `messages[${start + 1 + place}].tool_call_id`
    if (answered) return `${path}: ${id} has been answered already`
    return `${path}: answers no tool call of the message before`
  }
  return undefined
}

function answerId(message: WireMessage): string {
  return message.role === 'tool' ? message.tool_call_id : ''
}
