import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Piece } from './conversation.ts'
import { readStream } from './read-stream.ts'

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Sent byte by byte: letters and events come in halves. */
function stream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
}

async function readAll(text: string): Promise<Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of readStream(stream(text))) pieces.push(piece)
  return pieces
}

test('pieces come as they were sent, up to the end', async () => {
  const call = { index: 0, id: 'call_1', function: { name: 'a', arguments: '{"b":1}' } }
  const pieces = await readAll(
    `${chunk({ role: 'assistant' })}: still here\n\n${chunk({ reasoning_content: 'Hm' })}` +
      `${chunk({ content: 'não' })}${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}` +
      `data: [DONE]\n\n${chunk({ content: 'after the end' })}`,
  )
  const nothing = { content: '', reasoning: '', toolCalls: [], finishReason: undefined }
  assert.deepEqual(pieces, [
    nothing,
    { ...nothing, reasoning: 'Hm' },
    { ...nothing, content: 'não' },
    { ...nothing, toolCalls: [{ id: 'call_1', name: 'a', arguments: '{"b":1}' }] },
    { ...nothing, finishReason: 'tool_calls' },
  ])
})

test('a stream without its end is none', async () => {
  await assert.rejects(readAll(chunk({ content: 'half' })), /broke off/)
})
