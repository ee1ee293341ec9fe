import { fillPath, readProblem, send } from '../../api/client.ts'
import { tellSignedOut } from '../../api/signed-out.ts'
import type { Brand } from './conversation.ts'
import type { ChatBody } from './write-body.ts'

export interface OpenedStream {
  readonly requestId: string | undefined
  readonly body: ReadableStream<Uint8Array>
}

const PATH = '/console/api/accounts/{accountId}/chat/{brand}'

/** Asks the model. Throws a `Problem` where the service refuses. */
export async function openStream(
  { accountId, brand, body }: { accountId: string; brand: Brand; body: ChatBody },
  signal: AbortSignal,
): Promise<OpenedStream> {
  const response = await send(fillPath(PATH, { accountId, brand }), {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    signal,
  })
  if (!response.ok || !response.body) {
    const problem = await readProblem(response)
    if (problem.code === 'not_signed_in') tellSignedOut()
    throw problem
  }
  return { requestId: response.headers.get('x-request-id') ?? undefined, body: response.body }
}
