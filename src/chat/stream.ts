import { describeError } from '#platform/describe-error.ts'
import type { UpstreamReply } from '#models/index.ts'
import { beginReply, type BeginTools } from './begin-reply.ts'
import type { Exchange } from './exchange.ts'
import { relayReply } from './relay.ts'
import { LiveSink, type ReplySink } from './reply-sink.ts'
import { settleReply } from './settle.ts'

export interface StreamTools extends BeginTools {
  /** How long a stream may be silent before a sign of life. */
  readonly keepAliveMs: number
}

/** Sends the reply as it is made, and its end once it is paid. A Fault thrown has sent nothing yet. */
export async function stream(
  tools: StreamTools,
  exchange: Exchange,
  sink: ReplySink,
): Promise<void> {
  const live = new LiveSink(sink, tools.keepAliveMs)
  try {
    const reply = await beginStream(tools, exchange, live)
    if (reply) await relayToSink(tools, exchange, reply, live)
  } finally {
    live.stop()
  }
}

async function beginStream(
  tools: StreamTools,
  exchange: Exchange,
  sink: LiveSink,
): Promise<UpstreamReply | undefined> {
  try {
    return await beginReply(tools, exchange)
  } catch (error) {
    if (!sink.begun) throw error
    // Too late for a status: the head went out while the upstream was silent.
    tools.log.warn(
      { request_id: exchange.arrival.requestId, error: describeError(error) },
      'failed after the head was sent',
    )
    sink.finish('error', { promptTokens: 0, completionTokens: 0 })
    return undefined
  }
}

async function relayToSink(
  tools: StreamTools,
  exchange: Exchange,
  reply: UpstreamReply,
  sink: LiveSink,
): Promise<void> {
  sink.begin()
  sink.follow(reply)
  const relayed = await relayReply(exchange, reply, sink)
  try {
    await settleReply(tools, exchange, relayed)
  } catch (error) {
    // A reply that ended is a reply that is paid: this one must not end.
    sink.breakOff()
    tools.log.error(
      { request_id: exchange.arrival.requestId, error: describeError(error) },
      'charge not committed',
    )
    return
  }
  if (relayed.ended !== 'client_left') sink.finish(relayed.finishReason, relayed.tallied.usage)
}
