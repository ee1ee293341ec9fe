interface Message {
  readonly role: string
  readonly tool_calls?: readonly { readonly id: string }[] | null
}

interface Body {
  readonly messages?: readonly Message[]
}

/**
 * A body whose conversation follows the rules that a schema cannot say: it begins with a question,
 * each call is answered once, directly after it, and no answer is without its call. Any other body
 * is as it was.
 */
export function mendHistory(body: unknown): unknown {
  const { messages } = body as Body
  if (!messages) return body
  const turns = messages.filter(({ role }) => role !== 'tool').flatMap(mendTurn)
  return { ...(body as Body), messages: [{ role: 'user', content: 'x' }, ...turns] }
}

function mendTurn(message: Message): object[] {
  const { tool_calls: calls } = message
  if (message.role !== 'assistant' || !calls) return [message]
  const distinct = [...new Map(calls.map((call) => [call.id, call])).values()]
  const answers = distinct.map(({ id }) => ({ role: 'tool', content: '', tool_call_id: id }))
  return [{ ...message, tool_calls: distinct }, ...answers]
}
