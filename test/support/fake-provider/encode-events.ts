import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { ProviderOptions } from '#models/index.ts'

export type WireEvent = Readonly<Record<string, unknown>>

/** Writes an event as the provider's server does. */
export const encoders: Readonly<Record<ProviderOptions['kind'], (event: WireEvent) => Uint8Array>> =
  {
    /** https://docs.claude.com/en/docs/build-with-claude/streaming: each event is named by its type. */
    anthropic: (event) =>
      Buffer.from(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`),
    /** https://ai.google.dev/api/generate-content: `alt=sse`, lines end as HTTP's do. */
    google: (event) => Buffer.from(`data: ${JSON.stringify(event)}\r\n\r\n`),
    bedrock: encodeFrame,
  }

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

/**
 * A frame of vnd.amazon.eventstream: lengths, headers and body, each with its checksum. The padding is
 * what the service puts in so that lengths tell nothing of words.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
function encodeFrame(event: WireEvent): Uint8Array {
  const [[name, body] = ['', {}]] = Object.entries(event)
  const isException = name.endsWith('Exception')
  const text = (value: string) => ({ type: 'string', value }) as const
  return codec.encode({
    headers: {
      [isException ? ':exception-type' : ':event-type']: text(name),
      ':content-type': text('application/json'),
      ':message-type': text(isException ? 'exception' : 'event'),
    },
    body: Buffer.from(JSON.stringify({ ...(body as object), p: 'abcdefghij' })),
  })
}
