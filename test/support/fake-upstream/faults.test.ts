import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refusingUrl, startFakeUpstream, type FakeUpstream, type Fault } from './index.ts'
import {
  ask,
  openReply,
  readBody,
  readData,
  readDeltas,
  readEvents,
  readFailure,
  readUntil,
  sendChat,
} from './bare-client.ts'

async function startWith(t: TestContext, fault: Fault): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  upstream.play({ content: 'a b c', fault })
  return upstream
}

const streamed = { stream: true, stream_options: { include_usage: true } }

test('a status comes with an error body and the headers given', async (t) => {
  for (const status of [400, 401, 429, 500, 502, 503]) {
    const upstream = await startWith(t, { kind: 'status', status, headers: { 'retry-after': '7' } })
    const reply = await ask(upstream.url, streamed)
    assert.equal(reply.status, status)
    assert.equal(reply.headers['retry-after'], '7')
    assert.equal(reply.headers['content-type'], 'application/json')
    assert.match(JSON.parse(reply.text).error.message, new RegExp(String(status)))
  }
  const own = await startWith(t, { kind: 'status', status: 418, body: ['own'] })
  assert.equal((await ask(own.url, {})).text, '["own"]')
})

test('a page of HTML comes with a 200, or another status', async (t) => {
  const page = await ask((await startWith(t, { kind: 'html' })).url, {})
  assert.equal(page.status, 200)
  assert.equal(page.headers['content-type'], 'text/html')
  assert.match(page.text, /<h1>/)
  assert.equal((await ask((await startWith(t, { kind: 'html', status: 502 })).url, {})).status, 502)
})

test('a body can be JSON of another format, or empty', async (t) => {
  const other = await startWith(t, { kind: 'not-the-format' })
  assert.deepEqual(JSON.parse((await ask(other.url, {})).text), { hello: 'world' })
  const list = await startWith(t, { kind: 'not-the-format', body: [] })
  assert.equal((await ask(list.url, {})).text, '[]')
  const empty = await startWith(t, { kind: 'empty-body' })
  for (const body of [{}, streamed]) {
    const { status, text, failure } = await ask(empty.url, body)
    assert.deepEqual({ status, text, failure }, { status: 200, text: '', failure: undefined })
  }
})

test('a truncated body ends cleanly at its half', async (t) => {
  const upstream = await startWith(t, { kind: 'truncated-body' })
  const whole = await ask(upstream.url, {})
  assert.equal(whole.failure, undefined)
  assert.throws(() => JSON.parse(whole.text))
  const stream = await ask(upstream.url, streamed)
  assert.equal(stream.failure, undefined)
  assert.doesNotMatch(stream.text, /\[DONE]/)
  assert.match(stream.text, /^data: {/)
})

test('a refusing URL refuses', async () => {
  assert.equal(await readFailure(sendChat(await refusingUrl(), {})), 'ECONNREFUSED')
})

test('a reset before the head leaves the client without a reply', async (t) => {
  const upstream = await startWith(t, { kind: 'reset', at: 'before-head' })
  assert.equal(await readFailure(sendChat(upstream.url, streamed)), 'ECONNRESET')
  assert.equal(await upstream.requests[0]!.ended, 'broken-off')
})

test('a reset or a cut after the head leaves the client with a head', async (t) => {
  for (const kind of ['reset', 'cut'] as const) {
    const upstream = await startWith(t, { kind, at: 'after-head' })
    for (const body of [{}, streamed]) {
      const reply = await ask(upstream.url, body)
      assert.deepEqual(
        { status: reply.status, text: reply.text, failure: reply.failure },
        { status: 200, text: '', failure: 'ECONNRESET' },
      )
    }
  }
})

test('a reset or a cut in mid-stream comes after its deltas', async (t) => {
  for (const kind of ['reset', 'cut'] as const) {
    const upstream = await startWith(t, { kind, at: 'after-delta-2' })
    const { text, failure } = await ask(upstream.url, streamed)
    assert.deepEqual(readDeltas(text, 'content'), ['a ', 'b '])
    assert.equal(failure, 'ECONNRESET')
    assert.equal(await upstream.requests[0]!.ended, 'broken-off')
  }
})

test('a whole reply is cut, reset or ended in its middle', async (t) => {
  for (const kind of ['reset', 'cut', 'end'] as const) {
    const upstream = await startWith(t, { kind, at: 'after-delta-2' })
    const { text, failure } = await ask(upstream.url, {})
    assert.equal(failure, kind === 'end' ? undefined : 'ECONNRESET')
    assert.match(text, /^{"id"/)
    assert.throws(() => JSON.parse(text))
  }
})

test('a hang before the head gives no head', async (t) => {
  const upstream = await startWith(t, { kind: 'hang', at: 'before-head' })
  const clientRequest = sendChat(upstream.url, streamed)
  const failure = readFailure(clientRequest)
  const record = await upstream.request(0)
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
  clientRequest.destroy()
  assert.equal(await failure, 'ECONNRESET')
  await record.aborted
  assert.equal(record.bytesWritten, 0)
})

test('a hang after the head gives the head and no byte', async (t) => {
  const upstream = await startWith(t, { kind: 'hang', at: 'after-head' })
  for (const [index, body] of [{}, streamed].entries()) {
    const { clientRequest, response } = await openReply(upstream.url, body)
    assert.equal(response.statusCode, 200)
    clientRequest.destroy()
    const record = await upstream.request(index)
    await record.aborted
    assert.equal(record.bytesWritten, 0)
  }
})

test('a hang in mid-stream gives its deltas and no more', async (t) => {
  const upstream = await startWith(t, { kind: 'hang', at: 'after-delta-2' })
  const { clientRequest, response } = await openReply(upstream.url, streamed)
  assert.deepEqual(readDeltas(await readUntil(response, '"b "'), 'content'), ['a ', 'b '])
  clientRequest.destroy()
  const record = await upstream.request(0)
  await record.aborted
  assert.equal(record.deltasWritten, 2)
})

test('a stream can end well without a finish, or without [DONE]', async (t) => {
  const unfinished = await startWith(t, { kind: 'end', at: 'after-delta-2' })
  const cut = await ask(unfinished.url, streamed)
  assert.equal(cut.failure, undefined)
  assert.deepEqual(readDeltas(cut.text, 'content'), ['a ', 'b '])
  assert.doesNotMatch(cut.text, /"stop"|\[DONE]/)

  const finished = await startWith(t, { kind: 'end', at: 'after-finish' })
  const last = readEvents((await ask(finished.url, streamed)).text).at(-1)
  assert.equal(last?.choices?.[0]?.finish_reason, 'stop')

  const counted = await startWith(t, { kind: 'end', at: 'before-done' })
  assert.deepEqual(readEvents((await ask(counted.url, streamed)).text).at(-1)?.choices, [])
})

test('a malformed event comes in the midst of good ones', async (t) => {
  const upstream = await startWith(t, { kind: 'malformed-event', at: 'after-delta-1' })
  const data = readData((await ask(upstream.url, streamed)).text)
  assert.match(data[1]!, /"a "/)
  assert.throws(() => JSON.parse(data[2]!))
  assert.match(data[3]!, /"b "/)
  assert.equal(data.at(-1), '[DONE]')
  const whole = await ask(upstream.url, {})
  assert.throws(() => JSON.parse(whole.text))

  const own = await startWith(t, { kind: 'malformed-event', at: 'after-head', data: '[1]' })
  assert.equal(readData((await ask(own.url, streamed)).text)[0], '[1]')
})

test('an error event ends the stream, and a whole reply is that error', async (t) => {
  const upstream = await startWith(t, { kind: 'error-event', at: 'after-delta-1' })
  const events = readEvents((await ask(upstream.url, streamed)).text)
  assert.equal(events.length, 3)
  assert.deepEqual(events.at(-1), {
    error: {
      message: 'The fake upstream fails in mid-stream.',
      type: 'server_error',
      param: null,
      code: 'server_error',
    },
  })
  const whole = await ask(upstream.url, {})
  assert.equal(whole.status, 200)
  assert.deepEqual(JSON.parse(whole.text), events.at(-1))
})

test('an overrun sends more than max_tokens and says so', async (t) => {
  const upstream = await startWith(t, { kind: 'overrun', extraTokens: 20 })
  const stream = await ask(upstream.url, { ...streamed, max_tokens: 5 })
  assert.equal(readDeltas(stream.text, 'content').length, 25)
  assert.match(stream.text, /"completion_tokens":25/)
  const whole = JSON.parse((await ask(upstream.url, { max_tokens: 5 })).text)
  assert.equal(whole.usage.completion_tokens, 25)
  assert.equal(whole.choices[0].message.content, 'word '.repeat(25))
})

test('an endless reply goes on until the client leaves', async (t) => {
  const upstream = await startWith(t, { kind: 'endless' })
  for (const [index, body] of [{}, streamed].entries()) {
    const { clientRequest, response } = await openReply(upstream.url, body)
    let seenBytes = 0
    response.on('data', (chunk: Buffer) => {
      seenBytes += chunk.length
      if (seenBytes > 100_000) clientRequest.destroy()
    })
    response.on('error', () => undefined)
    const record = await upstream.request(index)
    await record.aborted
    assert.ok(record.bytesWritten > 100_000)
  }
})

test('a huge delta comes as one event', async (t) => {
  const sizeBytes = 3_000_000
  const upstream = await startWith(t, { kind: 'huge-delta', sizeBytes })
  const [delta] = readDeltas((await ask(upstream.url, streamed)).text, 'content')
  assert.equal((delta as string).length, sizeBytes)
})

test('a huge reply comes as many deltas or as one JSON body', async (t) => {
  const sizeBytes = 4 * 1024 * 1024
  const upstream = await startWith(t, { kind: 'huge-reply', sizeBytes })
  const stream = await ask(upstream.url, streamed)
  assert.equal(readDeltas(stream.text, 'content').join('').length, sizeBytes)
  assert.equal(readDeltas(stream.text, 'content').length, 256)
  const whole = await ask(upstream.url, {})
  assert.equal(JSON.parse(whole.text).choices[0].message.content.length, sizeBytes)
})

test('a client that does not read holds a huge reply back', async (t) => {
  const sizeBytes = 256 * 1024 * 1024
  const upstream = await startWith(t, { kind: 'huge-reply', sizeBytes })
  for (const [index, body] of [{}, streamed].entries()) {
    const { clientRequest } = await openReply(upstream.url, body)
    const record = await upstream.request(index)
    // Without back-pressure all of it would be written within these turns.
    for (let turn = 0; turn < 1000; turn += 1) await nextTurn()
    assert.ok(record.bytesWritten < 32 * 1024 * 1024, `${record.bytesWritten} bytes`)
    clientRequest.destroy()
    await record.aborted
  }
})

test('a fault waits for a pause at the same point', async (t) => {
  const upstream = await startFakeUpstream()
  t.after(() => upstream.close())
  const gate = Promise.withResolvers<void>()
  upstream.play({
    content: 'a b c',
    pauses: [{ at: 'after-delta-1', until: gate.promise }],
    fault: { kind: 'reset', at: 'after-delta-1' },
  })
  const { response } = await openReply(upstream.url, streamed)
  await readUntil(response, '"a "')
  const rest = readBody(response)
  assert.equal(upstream.requests[0]!.finished, false)
  gate.resolve()
  assert.deepEqual(await rest, { chunks: [], text: '', failure: 'ECONNRESET' })
})
