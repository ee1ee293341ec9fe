import type { AssistantMessage, Message } from '../../prompt.ts'
import type { HistoryItem, ResponseItem } from './engine-package.ts'
import type { FunctionNames } from './write-functions.ts'

/**
 * A conversation as the engine takes it: a call and its result are one thing there, and what the model
 * says until a person speaks again is one turn. It ends with the turn that the model is to go on with.
 */
export function writeHistory(messages: readonly Message[], names: FunctionNames): HistoryItem[] {
  const history: HistoryItem[] = []
  const results = new Map<string, string>()
  for (const message of messages.toReversed()) {
    // From the end: ids may come again, and a result is that of the call next before it.
    if (message.role === 'tool') {
      results.set(message.toolCallId, message.content)
    } else if (message.role !== 'assistant') {
      history.push({ type: message.role, text: message.content })
    } else {
      history.push({ type: 'model', response: writeTurn(message, results, names) })
      for (const { id } of message.toolCalls) results.delete(id)
    }
  }
  const joined: HistoryItem[] = []
  for (const item of history.toReversed()) {
    const last = joined.at(-1)
    if (item.type === 'model' && last?.type === 'model') last.response.push(...item.response)
    else joined.push(item)
  }
  if (joined.at(-1)?.type !== 'model') joined.push({ type: 'model', response: [] })
  return joined
}

function writeTurn(
  { content, toolCalls }: AssistantMessage,
  results: ReadonlyMap<string, string>,
  names: FunctionNames,
): ResponseItem[] {
  const calls = toolCalls.map((call, index): ResponseItem => {
    const result = results.get(call.id)
    return {
      type: 'functionCall',
      name: names.toEngine(call.name),
      params: parseOr(call.arguments),
      result: result === undefined ? '' : parseOr(result),
      startsNewChunk: index === 0,
    }
  })
  return content === null || content === '' ? calls : [content, ...calls]
}

/** The engine writes JSON itself; what is none stays the text that it is. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
