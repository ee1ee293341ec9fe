import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { ReplySink } from '#chat/index.ts'
import type { ChatCompletionChunk } from '../contract/index.ts'
import { writeToolCall, writeUsage, type ReplyIdentity } from './write-completion.ts'

type Delta = ChatCompletionChunk['choices'][number]['delta']

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // nginx would hold the stream back otherwise.
  'x-accel-buffering': 'no',
}

/**
 * Writes a reply as server-sent events. What comes within one turn of the event loop leaves in one
 * write; the parts of a chunk that never change are put into words once.
 */
export function createEventStream(reply: FastifyReply, identity: ReplyIdentity): ReplySink {
  const { raw } = reply
  const { id, created, model } = identity
  const common = { id, object: 'chat.completion.chunk', created, model }
  const head = `data: ${JSON.stringify(common).slice(0, -1)},"choices":[{"index":0,"delta":`
  const tail = ',"finish_reason":null}]}\n\n'
  let pending = ''

  function send(text: string): void {
    if (pending === '') queueMicrotask(flush)
    pending += text
  }

  function flush(): void {
    const text = pending
    pending = ''
    if (text !== '' && !raw.destroyed) raw.write(text)
  }

  function sendDelta(delta: Delta): void {
    send(head + JSON.stringify(delta) + tail)
  }

  return {
    begin() {
      reply.hijack()
      raw.writeHead(200, toRawHeaders(reply))
      sendDelta({ role: 'assistant' })
    },
    content: (text) => send(`${head}{"content":${JSON.stringify(text)}}${tail}`),
    reasoning: (text) => send(`${head}{"reasoning_content":${JSON.stringify(text)}}${tail}`),
    toolCall: (call, index) => sendDelta({ tool_calls: [{ index, ...writeToolCall(call) }] }),
    keepAlive: () => send(': keep-alive\n\n'),
    finish(finishReason, usage) {
      const last = JSON.stringify(writeUsage(usage))
      send(`${head}{},"finish_reason":"${finishReason}"}],"usage":${last}}\n\ndata: [DONE]\n\n`)
      flush()
      raw.end()
    },
    breakOff: () => raw.destroy(),
    ready: () => !raw.writableNeedDrain,
    onReady: (callback) => raw.on('drain', callback),
  }
}

/** A hijacked reply sends nothing of itself: what was set on it goes along by hand. */
function toRawHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  return { ...(reply.getHeaders() as OutgoingHttpHeaders), ...HEADERS }
}
