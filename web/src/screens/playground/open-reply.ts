import { createClient, type ChatRequest, type ReplyStream } from 'parley-client'
import { fillPath } from '../../api/client.ts'
import type { Brand } from './conversation.ts'

/** Asks the model as anybody's program does, but for the session that stands in for a key. */
export function openReply(
  { accountId, brand, request }: { accountId: string; brand: Brand; request: ChatRequest },
  signal: AbortSignal,
): Promise<ReplyStream> {
  const baseUrl = fillPath('/console/api/accounts/{accountId}', { accountId })
  // Whoever looks on is told what was refused, and decides themselves whether to try again.
  return createClient({ baseUrl, maxRetries: 0 }).stream(brand, request, { signal })
}
