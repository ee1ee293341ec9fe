import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'

/** A bare client for the fake upstream's own tests: it shows each HTTP chunk and each failure. */
export interface OpenReply {
  readonly clientRequest: ClientRequest
  readonly response: IncomingMessage
}

export function sendChat(url: string, body: object): ClientRequest {
  const options = { method: 'POST', agent: false }
  const clientRequest = request(`${url}/chat/completions`, options)
  clientRequest.on('error', () => undefined)
  clientRequest.end(JSON.stringify(body))
  return clientRequest
}

/** Resolves at the reply's head. */
export async function openReply(url: string, body: object): Promise<OpenReply> {
  const clientRequest = sendChat(url, body)
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  return { clientRequest, response }
}

/** What came of a body before it ended well, with an undefined failure, or badly. */
export interface ReadBody {
  readonly chunks: readonly Buffer[]
  readonly text: string
  readonly failure: string | undefined
}

/** Listens to each chunk: iterating over a response would join those that came together. */
export function readBody(response: IncomingMessage): Promise<ReadBody> {
  const { promise, resolve } = Promise.withResolvers<ReadBody>()
  const chunks: Buffer[] = []
  let failure: string | undefined
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message
  })
  response.on('close', () => resolve({ chunks, text: Buffer.concat(chunks).toString(), failure }))
  response.resume()
  return promise
}

/** Reads until the text has come and leaves the rest for later. */
export function readUntil(response: IncomingMessage, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let seen = ''
  const listen = (chunk: Buffer): void => {
    seen += chunk.toString()
    if (!seen.includes(text)) return
    response.pause()
    response.off('data', listen)
    resolve(seen)
  }
  response.on('data', listen)
  return promise
}

/** How a request failed that got no head. */
export function readFailure(clientRequest: ClientRequest): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  clientRequest.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
  clientRequest.once('response', () => resolve(undefined))
  return promise
}

export interface ReadReply extends ReadBody {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
}

export async function ask(url: string, body: object): Promise<ReadReply> {
  const { response } = await openReply(url, body)
  return { status: response.statusCode, headers: response.headers, ...(await readBody(response)) }
}

/** A stream's event; `[DONE]` has none of the keys. */
export interface WireEvent {
  readonly choices?: readonly WireChoice[]
  readonly usage?: unknown
  readonly error?: unknown
}

export interface WireChoice {
  readonly delta: Readonly<Record<string, unknown>>
  readonly finish_reason: string | null
}

/** The data of a stream in the default framing. */
export function readData(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length))
}

export function readEvents(text: string): readonly WireEvent[] {
  return readData(text).map((data) => (data === '[DONE]' ? {} : JSON.parse(data)))
}

/** The deltas' values of one key. */
export function readDeltas(text: string, key: string): readonly unknown[] {
  return readEvents(text)
    .map((event) => event.choices?.[0]?.delta[key])
    .filter((value) => value !== undefined && value !== null && value !== '')
}
