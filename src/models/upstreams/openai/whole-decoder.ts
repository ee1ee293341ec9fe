import type { ReplyEvent, UpstreamFailure } from '../upstream.ts'
import { createToolCallAssembly } from './assemble-tool-calls.ts'
import type { DecoderOutput, ReplyDecoder } from './choose-decoder.ts'
import { readErrorReply } from './failures.ts'
import { readTexts, readUsage } from './read-message.ts'
import { firstChoice, objectOf, parseWireReply, textOf, type WireMessage } from './wire-reply.ts'

const MAX_BYTES = 32 * 1024 * 1024

/** Decodes a reply sent as one JSON body. */
export function createWholeDecoder({ emit, done }: DecoderOutput): ReplyDecoder {
  const chunks: Buffer[] = []
  let size = 0
  let ended = false

  function end(failure: UpstreamFailure | undefined): void {
    if (ended) return
    ended = true
    done(failure)
  }

  return {
    add(bytes) {
      size += bytes.length
      if (size > MAX_BYTES) return end({ kind: 'malformed', reason: 'the reply is too large' })
      chunks.push(bytes)
    },
    end(failure) {
      if (!ended) end(failure ?? readWhole(Buffer.concat(chunks), emit))
    },
  }
}

function readWhole(bytes: Buffer, emit: (event: ReplyEvent) => void): UpstreamFailure | undefined {
  const reply = parseWireReply(bytes.toString('utf8'))
  if (reply?.error) return readErrorReply(reply.error)
  const choice = reply && firstChoice(reply)
  const message = objectOf<WireMessage>(choice?.message)
  if (!reply || !choice || !message) return { kind: 'malformed', reason: 'not a chat completion' }
  const reason = textOf(choice.finish_reason)
  if (reason === undefined) return { kind: 'malformed', reason: 'no finish reason' }
  // Usage first: whoever listens can tell an overrun before it passes the text on.
  const usage = readUsage(reply.usage)
  if (usage) emit({ kind: 'usage', usage })
  readTexts(message, emit)
  const toolCalls = createToolCallAssembly()
  const piece = toolCalls.add(message.tool_calls)
  if (piece !== '') emit({ kind: 'tool_call_piece', text: piece })
  for (const call of toolCalls.finish()) emit({ kind: 'tool_call', call })
  emit({ kind: 'finish', reason })
  return undefined
}
