import { Agent } from 'undici'
import type { Upstream } from '../upstream.ts'
import { loadProvider } from './load-provider.ts'
import { openProviderReply } from './provider-reply.ts'
import type { ProviderOptions } from './provider-options.ts'
import { createWatchedFetch } from './watched-fetch.ts'
import { writeCall } from './write-call.ts'

/** As many as requests may be under way. */
const MAX_CONNECTIONS = 4_096
/** Far above any honest reply: the packages keep whole errors and events in memory. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024

/** Anthropic, Google or Amazon Bedrock, each in its own format, by its package of the AI SDK. */
export async function createProviderUpstream(options: ProviderOptions): Promise<Upstream> {
  const { connectTimeoutMs = 5_000, timeoutMs = 60_000, idleTimeoutMs = 60_000 } = options
  const makeModel = await loadProvider(options)
  const agent = new Agent({
    connections: MAX_CONNECTIONS,
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: MAX_REPLY_BYTES,
    // Our own time-outs are exact; undici's are rounded to half a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    name: options.name,
    kind: options.kind,
    open(request, signal) {
      const call = writeCall(request, options)
      const plan = {
        firstByteTimeoutMs: timeoutMs,
        idleTimeoutMs,
        async start(abortSignal: AbortSignal, onBytes: () => void) {
          const model = makeModel(createWatchedFetch(agent, onBytes))
          // Always a stream, also for a reply that is wanted whole: then our deadlines hold in between.
          return model.doStream({ ...call, abortSignal })
        },
      }
      return openProviderReply(plan, signal)
    },
    close: () => agent.destroy(),
  }
}
