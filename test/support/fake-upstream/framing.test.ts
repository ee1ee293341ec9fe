import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startFakeUpstream, type Reply } from './index.ts'
import { ask, openReply, readBody, readDeltas, readUntil, type ReadReply } from './bare-client.ts'

async function askFor(t: TestContext, reply: Reply, body: object): Promise<ReadReply> {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play(reply)
  return ask(upstream.url, body)
}

const streamed = { stream: true }

test('lines can end in CRLF or CR', async (t) => {
  const crlf = await askFor(t, { framing: { lineEnding: '\r\n' } }, streamed)
  assert.match(crlf.text, /}\r\n\r\ndata: \[DONE]\r\n\r\n$/)
  assert.doesNotMatch(crlf.text, /[^\r]\n/)
  const cr = await askFor(t, { framing: { lineEnding: '\r' } }, streamed)
  assert.match(cr.text, /}\r\rdata: \[DONE]\r\r$/)
})

test('the space after data: can be missing', async (t) => {
  const { text } = await askFor(t, { framing: { noSpaceAfterData: true } }, streamed)
  assert.match(text, /^data:{/)
  assert.match(text, /data:\[DONE]/)
  assert.doesNotMatch(text, /data: /)
})

test('comments, further fields and a byte order mark can surround the data', async (t) => {
  const framing = { comment: 'ping', extraLines: ['event: message', 'id: 7'], byteOrderMark: true }
  const { text } = await askFor(t, { framing }, streamed)
  assert.ok(text.startsWith('\uFEFF: ping\nevent: message\nid: 7\ndata: {'))
  assert.ok(text.endsWith(': ping\nevent: message\nid: 7\ndata: [DONE]\n\n'))
  const bare = await askFor(t, { framing: { comment: '' } }, streamed)
  assert.match(bare.text, /^:\ndata: {/)
})

test('a body can come byte by byte', async (t) => {
  const stream = await askFor(t, { content: 'é €', framing: { splitAtBytes: 'every' } }, streamed)
  assert.ok(stream.chunks.every((chunk) => chunk.length === 1))
  assert.deepEqual(readDeltas(stream.text, 'content'), ['é ', '€'])
  const whole = await askFor(t, { content: 'é €', framing: { splitAtBytes: 'every' } }, {})
  assert.equal(JSON.parse(whole.text).choices[0].message.content, 'é €')
})

test('writes can end at given bytes, across events', async (t) => {
  const { chunks, text } = await askFor(
    t,
    { framing: { coalesce: 100, splitAtBytes: [3, 7, 300] } },
    streamed,
  )
  assert.deepEqual(
    chunks.map((chunk) => chunk.length),
    [3, 4, 293, text.length - 300],
  )
  assert.equal(chunks[0]!.toString(), 'dat')
})

test('several events can come in one write, but never past a pause', async (t) => {
  const joined = await askFor(t, { content: 'a b c d', framing: { coalesce: 3 } }, streamed)
  assert.deepEqual(
    joined.chunks.map((chunk) => chunk.toString().split('data: ').length - 1),
    [3, 3, 1],
  )

  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const gate = Promise.withResolvers<void>()
  const pauses = [{ at: 'after-delta-1' as const, until: gate.promise }]
  upstream.play({ content: 'a b c d', framing: { coalesce: 100 }, pauses })
  const { response } = await openReply(upstream.url, streamed)
  assert.deepEqual(readDeltas(await readUntil(response, '"a "'), 'content'), ['a '])
  gate.resolve()
  assert.deepEqual(readDeltas((await readBody(response)).text, 'content'), ['b ', 'c ', 'd'])
})

test('the deltas can be given as they are to be split', async (t) => {
  const { text } = await askFor(t, { deltas: ['He', 'llo', ' there'] }, streamed)
  assert.deepEqual(readDeltas(text, 'content'), ['He', 'llo', ' there'])
  const whole = await askFor(t, { deltas: ['He', 'llo', ' there'] }, {})
  assert.equal(JSON.parse(whole.text).choices[0].message.content, 'Hello there')
})
