import { Fault } from '#platform/fault.ts'
import type { Models, Routing, UpstreamFailure, UpstreamReply } from '#models/index.ts'
import type { Exchange } from './exchange.ts'
import { release, settleForNothing, type SettleTools } from './settle.ts'

export interface BeginTools extends SettleTools {
  readonly models: Models
}

/**
 * Waits for an upstream's reply to begin. Where none does, gives the hold back and throws what the
 * caller is told; undefined where the client has left meanwhile.
 */
export async function beginReply(
  tools: BeginTools,
  exchange: Exchange,
): Promise<UpstreamReply | undefined> {
  if (exchange.left) {
    await release(tools, exchange)
    return undefined
  }
  const routing = await openRoute(tools, exchange)
  if (routing.kind === 'unavailable') {
    await release(tools, exchange)
    throw unavailable(exchange)
  }
  if (exchange.left) {
    await settleForNothing(tools, exchange, 'client_left')
    return undefined
  }
  if (routing.kind === 'opened') return routing.reply
  await settleForNothing(tools, exchange, 'upstream_failed')
  throw describeUpstreamFailure(exchange, routing.failure)
}

async function openRoute(tools: BeginTools, exchange: Exchange): Promise<Routing> {
  const { model, request, cancel } = exchange
  try {
    return await tools.models.open(model.brand, request, cancel.signal)
  } catch (error) {
    // A bug of ours, but one that must not keep the money held.
    await release(tools, exchange)
    throw error
  }
}

function unavailable({ model }: Exchange): Fault {
  return new Fault(
    'model_unavailable',
    `${model.id} is temporarily unavailable; try again shortly or use another model.`,
    { reason: 'no upstream may be used now' },
  )
}

export function describeUpstreamFailure({ model }: Exchange, failure: UpstreamFailure): Fault {
  if (failure.kind === 'context_overflow') {
    return new Fault(
      'invalid_request',
      `messages: the input does not fit ${model.id}'s context window; shorten it`,
      { reason: failure.reason },
    )
  }
  return new Fault(
    'upstream_error',
    `The provider behind ${model.id} failed (${failure.kind}); try again.`,
    { reason: failure.reason },
  )
}
