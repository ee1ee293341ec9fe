import type { CallOptions, Client, Reply } from './client.ts'
import type { Brand, ChatRequest, Message, Tool, ToolCall } from './wire.ts'

/** A tool with what it does. */
export interface RunnableTool extends Tool {
  /** Gets the arguments as the model wrote them, parsed. What it returns is told the model as text. */
  run(args: Record<string, unknown>, call: ToolCall): unknown
}

export interface ToolRun {
  /** The last reply: the one that asks for no more tools, or the one at which `maxReplies` was reached. */
  readonly reply: Reply
  /** The whole conversation, that reply included, to go on from. */
  readonly messages: Message[]
}

export interface ToolRunOptions extends CallOptions {
  /** How many replies it may take; 10 where it is left out. */
  readonly maxReplies?: number
}

const MAX_REPLIES = 10

type Said = Reply['choices'][number]['message']

/**
 * Asks, runs the tools that the model asks for, tells it what came of them, and so on until it answers.
 * A tool that throws is told as an error, so that the model can do something about it.
 */
export async function runTools(
  client: Pick<Client, 'chat'>,
  brand: Brand,
  { tools, ...request }: Omit<ChatRequest, 'tools'> & { readonly tools: readonly RunnableTool[] },
  { maxReplies = MAX_REPLIES, ...options }: ToolRunOptions = {},
): Promise<ToolRun> {
  // Without what they do, which does not go over the wire.
  const described = tools.map((tool) => ({ type: 'function' as const, function: tool.function }))
  const messages = [...request.messages]
  for (let replies = 1; ; replies += 1) {
    const reply = await client.chat(brand, { ...request, tools: described, messages }, options)
    const said = reply.choices[0]?.message
    const calls = said?.tool_calls ?? []
    messages.push({ role: 'assistant', content: said?.content ?? '', ...retell(said, calls) })
    if (calls.length === 0 || replies >= maxReplies) return { reply, messages }
    messages.push(...(await Promise.all(calls.map((call) => answerCall(tools, call)))))
  }
}

/** The calls, and what nova thought before them: some models go on better when they are told it again. */
function retell(said: Said | undefined, calls: ToolCall[]): object {
  if (calls.length === 0) return {}
  const { reasoning_content: reasoning } = said ?? {}
  return { tool_calls: calls, ...(reasoning !== undefined && { reasoning_content: reasoning }) }
}

async function answerCall(tools: readonly RunnableTool[], call: ToolCall): Promise<Message> {
  return { role: 'tool', tool_call_id: call.id, content: await runOne(tools, call) }
}

async function runOne(tools: readonly RunnableTool[], call: ToolCall): Promise<string> {
  const { name, arguments: args = '{}' } = call.function
  const tool = tools.find((one) => one.function.name === name)
  if (!tool) return JSON.stringify({ error: `There is no tool ${name}.` })
  try {
    const result = await tool.run(JSON.parse(args) as Record<string, unknown>, call)
    return typeof result === 'string' ? result : JSON.stringify(result ?? null)
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
}
