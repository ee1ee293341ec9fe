import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeReply, startFixedUpstream } from './index.ts'
import { ask, readDeltas, readEvents } from './bare-client.ts'

test('a fixed upstream answers with its bytes, whole or streamed', async (t) => {
  for (const sseDelayMs of [0, 1]) {
    const replies = encodeReply({ content: 'Hello there', dialect: 'vllm' })
    const upstream = await startFixedUpstream({ ...replies, sseDelayMs })
    t.after(() => upstream.close())
    const whole = await ask(upstream.url, { messages: ['"stream":true'] })
    assert.equal(JSON.parse(whole.text).choices[0].message.content, 'Hello there')
    const stream = await ask(upstream.url, { stream: true })
    assert.deepEqual(readDeltas(stream.text, 'content'), ['Hello ', 'there'])
    assert.deepEqual(readEvents(stream.text).at(-2)?.choices, [])
    assert.equal(stream.chunks.length, replies.sse.length)
  }
})
