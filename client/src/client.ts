import { ConnectionError, ParleyError, readRefusal } from './errors.ts'
import { readEvents } from './read-events.ts'
import { withRetries, type RetryOptions } from './retry.ts'
import type { Brand, ChatCompletion, ChatCompletionChunk, ChatRequest, Model } from './wire.ts'

export interface ClientOptions extends RetryOptions {
  /** Ends in "/v1": what the service prints as "API". */
  readonly baseUrl: string
  readonly apiKey: string
  /** Another `fetch`, for tests and for proxies. */
  readonly fetch?: typeof fetch
}

export interface CallOptions extends RetryOptions {
  /** Aborting ends the reply; what the model has written until then is paid. */
  readonly signal?: AbortSignal
}

/** A service, asked with one key. */
export interface Client {
  /** The whole reply at once. */
  chat(brand: Brand, request: ChatRequest, options?: CallOptions): Promise<Reply>
  /** The reply as it is written. Leaving the loop ends it at the service, too. */
  stream(brand: Brand, request: ChatRequest, options?: CallOptions): Promise<ReplyStream>
  models(options?: CallOptions): Promise<Model[]>
}

export interface Reply extends ChatCompletion {
  /** By which the service finds the request; in its receipt as well. */
  requestId: string
}

export interface ReplyStream extends AsyncIterable<ChatCompletionChunk> {
  readonly requestId: string
}

export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey } = options
  const base = baseUrl.replace(/\/+$/, '')

  function send(path: string, body: object | undefined, call: CallOptions): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${apiKey}` }
    if (body) headers['content-type'] = 'application/json'
    const init: RequestInit = { method: body ? 'POST' : 'GET', headers }
    if (body) init.body = JSON.stringify(body)
    if (call.signal) init.signal = call.signal
    const ask = options.fetch ?? fetch
    return withRetries(
      () => answerOf(ask(base + path, init), call.signal),
      { ...options, ...call },
      call.signal,
    )
  }

  return {
    async chat(brand, request, call = {}) {
      const response = await send(`/chat/${brand}`, { ...request, stream: false }, call)
      const requestId = idOf(response)
      const completion = await whole<ChatCompletion>(response, call.signal)
      return { ...completion, requestId }
    },
    async stream(brand, request, call = {}) {
      const response = await send(`/chat/${brand}`, { ...request, stream: true }, call)
      const requestId = idOf(response)
      return { requestId, [Symbol.asyncIterator]: () => readChunks(response, call.signal) }
    },
    async models(call = {}) {
      const response = await send('/models', undefined, call)
      return (await whole<{ data: Model[] }>(response, call.signal)).data
    },
  }
}

/** The answer's head; whatever is no reply is thrown. */
async function answerOf(
  asking: Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  let response: Response
  try {
    response = await asking
  } catch (cause) {
    throw lost(cause, undefined, signal)
  }
  if (response.ok) return response
  throw await readRefusal(response)
}

function idOf(response: Response): string {
  return response.headers.get('x-request-id') ?? ''
}

async function whole<Body>(response: Response, signal: AbortSignal | undefined): Promise<Body> {
  try {
    return (await response.json()) as Body
  } catch (cause) {
    throw lost(cause, idOf(response), signal)
  }
}

/** Ends without an error only after the service said that the reply is whole. */
async function* readChunks(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatCompletionChunk> {
  const requestId = idOf(response)
  if (!response.body) throw new ConnectionError('The answer has no body.', requestId)
  try {
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') return
      yield JSON.parse(data) as ChatCompletionChunk
    }
  } catch (cause) {
    throw lost(cause, requestId, signal)
  }
  throw new ConnectionError('The reply broke off before its end.', requestId)
}

/** What the caller aborted ends with the caller's own reason; everything else is a lost connection. */
function lost(cause: unknown, requestId: string | undefined, signal: AbortSignal | undefined) {
  if (signal?.aborted) return signal.reason as unknown
  if (cause instanceof ParleyError) return cause
  return new ConnectionError('The connection to the service was lost.', requestId, { cause })
}
