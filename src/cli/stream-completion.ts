import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ChatCompletionChunk, ChatRequest } from '#api/contract/index.ts'
import { callService, explained, parseJson, type ServiceCall } from './call-service.ts'
import { CommandError } from './command-error.ts'

export interface CompletionCall extends Pick<ServiceCall, 'url' | 'token' | 'signal'> {
  readonly brand: string
  readonly request: ChatRequest
}

/** The service sends a sign of life every 15 s, so a longer silence means that it is gone. */
const IDLE_TIMEOUT_MS = 45_000
/** No event of the service comes near this many characters. */
const MAX_EVENT_LENGTH = 1_000_000

/** Asks for a reply and gives its chunks as they arrive. Throws if it ends before its end. */
export async function* streamCompletion(
  call: CompletionCall,
): AsyncGenerator<ChatCompletionChunk, void> {
  const { url, token, brand, request } = call
  const idle = watchIdle(url)
  const signal = AbortSignal.any([call.signal, idle.signal])
  try {
    const body = { ...request, stream: true }
    const path = `/v1/chat/${brand}`
    const response = await callService({ url, method: 'POST', path, token, body, signal })
    const events = readEvents(response, idle.refresh).getReader()
    let isWhole = false
    for (;;) {
      const { value: event } = await explained(url, () => events.read())
      if (event === undefined) break
      idle.refresh()
      if (event.data === '[DONE]') isWhole = true
      else yield readChunk(url, event.data)
    }
    if (!isWhole) throw brokenOff(url)
  } finally {
    idle.stop()
  }
}

function watchIdle(url: string) {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new CommandError(`${url} sent nothing for ${IDLE_TIMEOUT_MS / 1_000} s.`))
  }, IDLE_TIMEOUT_MS)
  return {
    signal: controller.signal,
    refresh: () => void timer.refresh(),
    stop: () => clearTimeout(timer),
  }
}

function readEvents({ body }: Response, onSignOfLife: () => void) {
  return (body ?? new ReadableStream<Uint8Array<ArrayBuffer>>())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(
      new EventSourceParserStream({ maxBufferSize: MAX_EVENT_LENGTH, onComment: onSignOfLife }),
    )
}

function readChunk(url: string, data: string): ChatCompletionChunk {
  const chunk = parseJson(data) as ChatCompletionChunk | undefined
  if (Array.isArray(chunk?.choices)) return chunk
  throw new CommandError(`${url} does not answer as Parley does. Set PARLEY_URL to its address.`)
}

function brokenOff(url: string): CommandError {
  return new CommandError(`The connection to ${url} broke off before the reply had ended.`)
}
