import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ChatCompletionChunk } from '#api/contract/index.ts'
import type { Piece } from './conversation.ts'

const END = '[DONE]'

/** The pieces of a reply as they come. Throws where it breaks off before its end. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Piece> {
  const events = body
    // Their types differ between the browser's own and the compiler's.
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    for (;;) {
      const { done, value } = await events.read()
      if (done) throw new TypeError('the stream broke off')
      if (value.data === END) return
      yield readPiece(JSON.parse(value.data) as ChatCompletionChunk)
    }
  } finally {
    await events.cancel().catch(() => undefined)
  }
}

function readPiece({ choices }: ChatCompletionChunk): Piece {
  const [choice] = choices
  const { content, reasoning_content: reasoning, tool_calls: calls } = choice?.delta ?? {}
  return {
    content: content ?? '',
    reasoning: reasoning ?? '',
    toolCalls: (calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
      id,
      name,
      arguments: given ?? '{}',
    })),
    finishReason: choice?.finish_reason ?? undefined,
  }
}
