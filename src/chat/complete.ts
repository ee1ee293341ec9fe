import { beginReply, describeUpstreamFailure, type BeginTools } from './begin-reply.ts'
import type { Exchange } from './exchange.ts'
import { relayReply } from './relay.ts'
import { settleForNothing, settleReply } from './settle.ts'
import { gatherReply, type Completion } from './whole-reply.ts'

/** The reply in one piece, once it is paid. Undefined where the client has left. */
export async function complete(
  tools: BeginTools,
  exchange: Exchange,
): Promise<Completion | undefined> {
  const reply = await beginReply(tools, exchange)
  if (!reply) return undefined
  const parts = gatherReply()
  const relayed = await relayReply(exchange, reply, parts)
  if (relayed.failure) {
    // Nobody pays for half a JSON body.
    await settleForNothing(tools, exchange, 'upstream_failed')
    throw describeUpstreamFailure(exchange, relayed.failure)
  }
  await settleReply(tools, exchange, relayed)
  if (relayed.ended === 'client_left') return undefined
  return parts.complete(relayed.finishReason, relayed.tallied.usage)
}
