import { lost, readRefusal, UnexpectedAnswerError } from './errors.ts'
import { readEvents } from './read-events.ts'
import { readLimits, type RateLimits } from './read-limits.ts'
import { withRetries, type RetryOptions } from './retry.ts'
import { createTimeLimit, type TimeLimit } from './time-limit.ts'
import type { Brand, ChatCompletion, ChatCompletionChunk, ChatRequest, Model } from './wire.ts'

export interface ClientOptions extends RetryOptions, TimeoutOption {
  /** Ends in "/v1": what the service prints as "API". */
  readonly baseUrl: string
  /** Left out where something else says who asks, as a session does. */
  readonly apiKey?: string | undefined
  /** Another `fetch`, for tests and for proxies. */
  readonly fetch?: typeof fetch | undefined
}

export interface CallOptions extends RetryOptions, TimeoutOption {
  /** Aborting ends the reply; what the model has written until then is paid. */
  readonly signal?: AbortSignal | undefined
}

export interface TimeoutOption {
  /**
   * How long the service may be silent, in milliseconds. Where it is left out: ten minutes for a whole
   * reply, and one for a stream, in which there is a sign of life every 15 seconds.
   */
  readonly timeoutMs?: number | undefined
}

/** A service, asked with one key. */
export interface Client {
  /** The whole reply at once. */
  chat(brand: Brand, request: ChatRequest, options?: CallOptions): Promise<Reply>
  /** The reply as it is written. Leaving the loop ends it at the service, too. */
  stream(brand: Brand, request: ChatRequest, options?: CallOptions): Promise<ReplyStream>
  models(options?: CallOptions): Promise<Model[]>
}

/** What the service tells of a reply beside it. */
export interface ReplyHead {
  /** By which the service finds the request; in its receipt as well. */
  readonly requestId: string
  /** Of a stream: while the most that it can take is held. */
  readonly limits: RateLimits | undefined
}

export interface Reply extends ReplyHead, ChatCompletion {}

/** Its chunks, to be read once. */
export interface ReplyStream extends ReplyHead, AsyncIterable<ChatCompletionChunk> {}

const WHOLE_TIMEOUT_MS = 600_000
const STREAM_TIMEOUT_MS = 60_000

export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey } = options
  const base = baseUrl.replace(/\/+$/, '')
  checkOptions(options)

  function send(
    path: string,
    body: object | undefined,
    call: CallOptions,
    usualMs: number,
  ): Promise<Answer> {
    const headers: Record<string, string> = {}
    if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`
    if (body) headers['content-type'] = 'application/json'
    // Followed, a redirect could turn the POST into a GET.
    const init: RequestInit = { method: body ? 'POST' : 'GET', headers, redirect: 'manual' }
    if (body) init.body = JSON.stringify(body)
    const limitMs = call.timeoutMs ?? options.timeoutMs ?? usualMs
    const ask = options.fetch ?? fetch
    return withRetries(
      () => {
        const limit = createTimeLimit(limitMs, call.signal)
        return begin(() => ask(base + path, { ...init, signal: limit.signal }), limit)
      },
      {
        maxRetries: call.maxRetries ?? options.maxRetries,
        maxWaitS: call.maxWaitS ?? options.maxWaitS,
        onRetry: call.onRetry ?? options.onRetry,
      },
      call.signal,
    )
  }

  return {
    async chat(brand, request, call = {}) {
      const body = { ...request, stream: false }
      const answer = await send(`/chat/${brand}`, body, call, WHOLE_TIMEOUT_MS)
      return { ...(await readWhole<ChatCompletion>(answer, 'choices')), ...answer.head }
    },
    async stream(brand, request, call = {}) {
      const body = { ...request, stream: true }
      const answer = await send(`/chat/${brand}`, body, call, STREAM_TIMEOUT_MS)
      const events = bodyOfEvents(answer.response)
      return { ...answer.head, [Symbol.asyncIterator]: () => readChunks(answer, events) }
    },
    async models(call = {}) {
      const answer = await send('/models', undefined, call, STREAM_TIMEOUT_MS)
      return (await readWhole<{ data: Model[] }>(answer, 'data')).data
    },
  }
}

/** What fetch would tell as if the connection had been lost. */
function checkOptions({ baseUrl, apiKey }: ClientOptions): void {
  // In a browser an address may be one of the page's own origin.
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  if (!URL.canParse(baseUrl, location?.href)) {
    throw new TypeError(`baseUrl is no address: ${JSON.stringify(baseUrl)}`)
  }
  if (apiKey !== undefined && !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey is empty, or has a space or a letter that no key has.')
  }
}

/** A reply that has begun. */
interface Answer {
  readonly response: Response
  readonly head: ReplyHead
  readonly limit: TimeLimit
}

/** Whatever begins no reply is thrown. */
async function begin(ask: () => Promise<Response>, limit: TimeLimit): Promise<Answer> {
  let response: Response
  try {
    response = await limit.wait(ask())
    if (!response.ok) throw await limit.wait(readRefusal(response))
  } catch (cause) {
    throw lost(cause, limit)
  }
  const { headers } = response
  const head = { requestId: headers.get('x-request-id') ?? '', limits: readLimits(headers) }
  return { response, head, limit }
}

/** A body of one piece, known by a list that it has. */
async function readWhole<Body>({ response, head, limit }: Answer, list: string): Promise<Body> {
  const text = await limit.wait(response.text()).catch((cause: unknown) => {
    throw lost(cause, limit, head.requestId)
  })
  return readJson<Body>(text, list, response)
}

function bodyOfEvents(response: Response): ReadableStream<Uint8Array> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body && type.startsWith('text/event-stream')) return response.body
  void response.body?.cancel()
  throw new UnexpectedAnswerError(response)
}

/** Ends without an error only after the service said that the reply is whole. */
async function* readChunks(
  { response, head, limit }: Answer,
  events: ReadableStream<Uint8Array>,
): AsyncGenerator<ChatCompletionChunk> {
  if (response.bodyUsed) throw new TypeError('A stream is read once.')
  try {
    for await (const data of readEvents(events, (step) => limit.wait(step))) {
      if (data === '[DONE]') return
      yield readJson<ChatCompletionChunk>(data, 'choices', response)
    }
  } catch (cause) {
    throw lost(cause, limit, head.requestId)
  }
  throw lost(new Error('The body ended before "[DONE]".'), limit, head.requestId)
}

function readJson<Body>(text: string, list: string, response: Response): Body {
  const body = parse(text) as Readonly<Record<string, unknown>> | null | undefined
  // Whatever has no such list, something else than the service has written.
  if (!Array.isArray(body?.[list])) throw new UnexpectedAnswerError(response)
  return body as Body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
