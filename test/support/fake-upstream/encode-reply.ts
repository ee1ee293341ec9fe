import type { FixedReplies } from './fixed-upstream.ts'
import { prepareReply } from './prepared.ts'
import type { Reply } from './reply.ts'

/** A reply's bytes for a fixed upstream, as if usage had been asked for. Faults cannot be encoded. */
export function encodeReply(reply: Omit<Reply, 'fault' | 'pace' | 'pauses'>): FixedReplies {
  const ask = { includeUsage: true, continuousUsage: false, maxTokens: 0 }
  return {
    json: Buffer.concat(prepareReply(reply, { ...ask, stream: false }).writes),
    sse: prepareReply(reply, { ...ask, stream: true }).writes,
  }
}
