import { Fault } from '#platform/fault.ts'
import type { NanoEuro } from '#platform/money.ts'
import {
  estimatePrompt,
  type Message,
  type Model,
  type Prompt,
  type UpstreamRequest,
} from '#models/index.ts'
import type { ChatCall } from './exchange.ts'
import { priceUsage } from './usage.ts'

/** A call made ready for an upstream, with the most that it can use and cost. */
export interface Prepared {
  readonly model: Model
  readonly request: UpstreamRequest
  readonly promptEstimate: number
  readonly worstCase: { readonly tokens: number; readonly cost: NanoEuro }
}

/**
 * Puts the service's identity first, bounds `max_tokens`, and works out the worst case. A Fault where
 * the model cannot take the call.
 */
export function prepareCall(call: ChatCall, model: Model, identity: string): Prepared | Fault {
  const { temperature, streamed } = call
  const told = model.takesReasoning ? call.prompt : leaveOutReasoning(call.prompt)
  const prompt = placeIdentity(told, identity.replaceAll('{model}', model.id))
  const maxTokens = Math.min(call.maxTokens ?? model.maxOutputTokens, model.maxOutputTokens)
  const promptEstimate = estimatePrompt(prompt)
  const tokens = promptEstimate + maxTokens
  if (tokens > model.contextWindow) return contextOverflow(model, promptEstimate, maxTokens)
  if (prompt.tools.length > 0 && !model.tools) return toolsUnsupported(model)
  const usage = { promptTokens: promptEstimate, completionTokens: maxTokens }
  return {
    model,
    request: { prompt, maxTokens, temperature, streamed },
    promptEstimate,
    worstCase: { tokens, cost: priceUsage(usage, model.rates) },
  }
}

/** What no upstream is told takes no tokens, so none are held for it and none are counted. */
function leaveOutReasoning({ messages, tools }: Prompt): Prompt {
  const told = messages.map((message): Message => {
    if (message.role !== 'assistant') return message
    const { role, content, toolCalls } = message
    return { role, content, toolCalls }
  })
  return { messages: told, tools }
}

function placeIdentity({ messages, tools }: Prompt, identity: string): Prompt {
  return { messages: [{ role: 'system', content: identity }, ...messages], tools }
}

function toolsUnsupported({ id }: Model): Fault {
  return new Fault(
    'tools_unsupported',
    `${id} does not accept tools; leave them out or use prime or nova.`,
  )
}

function contextOverflow(model: Model, promptEstimate: number, maxTokens: number): Fault {
  return new Fault(
    'invalid_request',
    `messages: about ${promptEstimate} tokens of input and ${maxTokens} of output do not fit ` +
      `${model.id}'s context window of ${model.contextWindow}; shorten the input or lower max_tokens`,
  )
}
