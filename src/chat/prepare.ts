import { Fault } from '#platform/fault.ts'
import type { NanoEuro } from '#platform/money.ts'
import { estimatePrompt, type Model, type UpstreamRequest } from '#models/index.ts'
import type { ChatCall } from './exchange.ts'
import { priceUsage } from './usage.ts'

/** A call made ready for an upstream, with the most that it can use and cost. */
export interface Prepared {
  readonly request: UpstreamRequest
  readonly promptEstimate: number
  readonly worstTokens: number
  readonly worstCost: NanoEuro
}

/** Puts the service's identity first, bounds `max_tokens`, and works out the worst case. */
export function prepareCall(call: ChatCall, model: Model, identity: string): Prepared | Fault {
  const prompt = {
    messages: [{ role: 'system' as const, content: identity }, ...call.prompt.messages],
    tools: call.prompt.tools,
  }
  const maxTokens = Math.min(call.maxTokens ?? model.maxOutputTokens, model.maxOutputTokens)
  const promptEstimate = estimatePrompt(prompt)
  const worstTokens = promptEstimate + maxTokens
  if (worstTokens > model.contextWindow) return contextOverflow(model, promptEstimate, maxTokens)
  if (prompt.tools.length > 0 && !model.tools) return toolsUnsupported(model)
  return {
    request: { prompt, maxTokens, temperature: call.temperature, streamed: call.streamed },
    promptEstimate,
    worstTokens,
    worstCost: priceUsage(
      { promptTokens: promptEstimate, completionTokens: maxTokens },
      model.rates,
    ),
  }
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
