import type { Model } from '../catalogue.ts'
import { estimatePrompt } from '../estimate-prompt.ts'
import type { Prompt, Tool, ToolCall } from '../prompt.ts'
import { createTokenCounter } from '../token-counter.ts'
import { sampleArguments } from './sample-arguments.ts'
import type {
  ReplyEvent,
  ReplyListener,
  Upstream,
  UpstreamReply,
  UpstreamRequest,
} from './upstream.ts'

export interface SimulatedOptions {
  /** Default "simulated". */
  readonly name?: string
}

/**
 * The stand-in used when no model is configured: answers at once, always the same to the same
 * request, and says what it is. Able to do all that the contract has, so that a client can be
 * written against it: streams, reasons, calls the tools that the last message names, stops at
 * `max_tokens`.
 */
export function createSimulatedUpstream(
  model: Pick<Model, 'id' | 'reasoning'>,
  { name = 'simulated' }: SimulatedOptions = {},
): Upstream {
  return {
    name,
    kind: 'simulated',
    async open(request, signal) {
      const events = composeReply(model, request)
      return { kind: 'opened', reply: new Replay(events, signal) }
    },
    close: async () => {},
  }
}

function composeReply(
  model: Pick<Model, 'id' | 'reasoning'>,
  { prompt, maxTokens }: UpstreamRequest,
): ReplyEvent[] {
  const calls = composeToolCalls(prompt)
  const parts: ReplyEvent[] = []
  if (model.reasoning) parts.push(...split('reasoning', composeReasoning(calls)))
  if (calls.length === 0) parts.push(...split('content', composeAnswer(model.id, prompt)))
  for (const call of calls) {
    parts.push({ kind: 'tool_call_piece', text: call.name + call.arguments })
  }
  const { kept, tokens, whole } = keepWithin(parts, maxTokens)
  if (whole) for (const call of calls) kept.push({ kind: 'tool_call', call })
  const usage = { promptTokens: estimatePrompt(prompt), completionTokens: tokens }
  const reason = calls.length > 0 ? 'tool_calls' : 'stop'
  return [...kept, { kind: 'finish', reason: whole ? reason : 'length' }, { kind: 'usage', usage }]
}

function composeAnswer(modelId: string, prompt: Prompt): string {
  const last = prompt.messages.at(-1)
  const { length } = Array.from(last?.content ?? '')
  const read =
    last?.role === 'tool'
      ? `I have read the result of your tool, ${length} characters long.`
      : `I have read your last message, ${length} characters long.`
  return (
    `I am a simulated model in the place of ${modelId}: no language model is connected yet, so ` +
    `nothing here was thought up. ${read} To get real answers, set PARLEY_UPSTREAM_URL to any ` +
    'server that speaks the chat-completions format, or describe your upstreams in parley.yaml.'
  )
}

function composeReasoning(calls: readonly ToolCall[]): string {
  return calls.length > 0
    ? 'The last message names a tool that I was given, so I ask for it to be run. '
    : 'A reasoning model would think here; I only show where its thoughts appear. '
}

/** One call for each tool whose name the last message mentions, if a person wrote that message. */
function composeToolCalls({ messages, tools }: Prompt): ToolCall[] {
  const last = messages.at(-1)
  if (last?.role !== 'user') return []
  const text = last.content.toLowerCase()
  return tools.filter((tool) => isNamed(tool, text)).map((tool, index) => composeCall(tool, index))
}

function isNamed({ name }: Tool, text: string): boolean {
  const lower = name.toLowerCase()
  return text.includes(lower) || text.includes(lower.replaceAll('_', ' '))
}

function composeCall({ name, parameters }: Tool, index: number): ToolCall {
  return { id: `call_simulated_${index}`, name, arguments: sampleArguments(parameters) }
}

function split(kind: 'content' | 'reasoning', text: string): ReplyEvent[] {
  return (text.match(/\S+\s*/g) ?? []).map((word) => ({ kind, text: word }))
}

function keepWithin(
  parts: readonly ReplyEvent[],
  maxTokens: number,
): { kept: ReplyEvent[]; tokens: number; whole: boolean } {
  const counter = createTokenCounter()
  const kept: ReplyEvent[] = []
  for (const part of parts) {
    const before = counter.tokens
    if ('text' in part) counter.add(part.text)
    if (counter.tokens > maxTokens) return { kept, tokens: before, whole: false }
    kept.push(part)
  }
  return { kept, tokens: counter.tokens, whole: true }
}

class Replay implements UpstreamReply {
  readonly #events: readonly ReplyEvent[]
  readonly #signal: AbortSignal
  #listener: ReplyListener | undefined
  #next = 0
  #paused = false
  #ended = false

  constructor(events: readonly ReplyEvent[], signal: AbortSignal) {
    this.#events = events
    this.#signal = signal
  }

  read(listener: ReplyListener): void {
    this.#listener = listener
    this.resume()
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    for (const event of this.#events.slice(this.#next)) {
      if (this.#paused || this.#signal.aborted) return
      this.#next += 1
      this.#listener?.onEvent(event)
    }
    if (this.#paused || this.#signal.aborted || this.#ended) return
    this.#ended = true
    this.#listener?.onEnd(undefined)
  }
}
