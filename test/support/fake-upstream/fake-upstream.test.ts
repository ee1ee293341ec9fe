import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { startFakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './index.ts'
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

async function start(t: TestContext, options?: FakeUpstreamOptions): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream(options)
  t.after(() => upstream.close())
  return upstream
}

test('an unscripted upstream greets, whole or as a stream', async (t) => {
  const upstream = await start(t)
  const whole = await ask(upstream.url, { model: 'any' })
  const body = JSON.parse(whole.text)
  assert.equal(whole.headers['content-type'], 'application/json')
  assert.equal(whole.headers['content-length'], String(whole.text.length))
  assert.deepEqual(body.choices[0].message, { role: 'assistant', content: 'Hello there' })
  assert.equal(body.choices[0].finish_reason, 'stop')
  assert.deepEqual(body.usage, { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 })

  const stream = await ask(upstream.url, { stream: true })
  assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.deepEqual(readDeltas(stream.text, 'content'), ['Hello ', 'there'])
  assert.equal(readEvents(stream.text).at(-2)?.choices?.[0]?.finish_reason, 'stop')
  assert.equal(readData(stream.text).at(-1), '[DONE]')
  assert.equal(stream.chunks.length, 5, 'one write for each event')
  assert.equal(upstream.requests[1]?.deltasWritten, 2)
  assert.equal(upstream.requests[1]?.bytesWritten, stream.text.length)
})

test('the models are listed, and other paths and bodies are refused', async (t) => {
  const upstream = await start(t, { models: ['small', 'large'] })
  const models = await (await fetch(`${upstream.url}/models`)).json()
  assert.deepEqual(models, {
    object: 'list',
    data: [
      { id: 'small', object: 'model', owned_by: 'fake' },
      { id: 'large', object: 'model', owned_by: 'fake' },
    ],
  })
  assert.equal((await fetch(`${upstream.url}/embeddings`)).status, 404)
  const notJson = { method: 'POST', body: 'not JSON' }
  assert.equal((await fetch(`${upstream.url}/chat/completions`, notJson)).status, 400)
})

test('a request is recorded with its path, headers, body and time', async (t) => {
  const clock = { now: () => 42, sleep: async () => undefined }
  const upstream = await start(t, { clock })
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }
  const headers = { authorization: 'Bearer secret' }
  await fetch(`${upstream.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  }).then((response) => response.text())
  const record = await upstream.request(0)
  assert.equal(await record.ended, 'finished')
  assert.equal(upstream.requests.length, 1)
  assert.equal(record.method, 'POST')
  assert.equal(record.path, '/v1/chat/completions')
  assert.equal(record.headers.authorization, 'Bearer secret')
  assert.deepEqual(record.body, body)
  assert.equal(record.receivedAtMs, 42)
  assert.equal(record.finished, true)
})

test('a request can be awaited before it is sent', async (t) => {
  const upstream = await start(t)
  const second = upstream.request(1)
  await ask(upstream.url, { model: 'first' })
  await ask(upstream.url, { model: 'second' })
  assert.equal((await second).body.model, 'second')
})

test('requests past the limit are answered but not kept', async (t) => {
  const upstream = await start(t, { recordLimit: 1 })
  await ask(upstream.url, {})
  assert.equal((await ask(upstream.url, {})).status, 200)
  assert.equal(upstream.requests.length, 1)
})

test('a queue of replies is played in turn and its last one repeats', async (t) => {
  const upstream = await start(t)
  upstream.play([{ fault: { kind: 'status', status: 503 } }, { content: 'Back again' }])
  const replies = [
    await ask(upstream.url, {}),
    await ask(upstream.url, {}),
    await ask(upstream.url, {}),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    [503, 200, 200],
  )
  assert.match(replies[2]!.text, /Back again/)
})

test('a script can choose by the request', async (t) => {
  const upstream = await start(t)
  upstream.play(({ body }) => ({ content: `You asked ${body.model}` }))
  assert.match((await ask(upstream.url, { model: 'a' })).text, /You asked a/)
  assert.match((await ask(upstream.url, { model: 'b' })).text, /You asked b/)
})

test('a pause holds the reply at its point until it is released', async (t) => {
  const upstream = await start(t)
  const gate = Promise.withResolvers<void>()
  upstream.play({ content: 'a b c', pauses: [{ at: 'after-delta-2', until: gate.promise }] })
  const { response } = await openReply(upstream.url, { stream: true })
  await readUntil(response, '"b "')
  const record = await upstream.request(0)
  assert.equal(record.deltasWritten, 2)
  assert.equal(record.finished, false)
  gate.resolve()
  const rest = await readBody(response)
  assert.deepEqual(readDeltas(rest.text, 'content'), ['c'])
  assert.equal(await record.ended, 'finished')
})

test('pauses hold a whole reply before its head, after it, and in its middle', async (t) => {
  const upstream = await start(t)
  const [beforeHead, afterHead, middle] = Array.from({ length: 3 }, () =>
    Promise.withResolvers<void>(),
  )
  upstream.play({
    content: 'Hello',
    pauses: [
      { at: 'before-head', until: beforeHead!.promise },
      { at: 'after-head', until: afterHead!.promise },
      { at: 'after-delta-1', until: middle!.promise },
    ],
  })
  const clientRequest = sendChat(upstream.url, {})
  const head = once(clientRequest, 'response')
  const record = await upstream.request(0)
  beforeHead!.resolve()
  const [response] = await head
  assert.equal(record.bytesWritten, 0)
  const first = once(response, 'data')
  afterHead!.resolve()
  assert.doesNotMatch(String(await first), /Hello/)
  middle!.resolve()
  assert.match((await readBody(response)).text, /Hello/)
})

test('a client that leaves in mid-reply is seen to leave', async (t) => {
  const upstream = await start(t)
  upstream.play({ content: 'a b c', fault: { kind: 'hang', at: 'after-delta-2' } })
  const { clientRequest, response } = await openReply(upstream.url, { stream: true })
  await readUntil(response, '"b "')
  const record = await upstream.request(0)
  clientRequest.destroy()
  await record.aborted
  assert.equal(await record.ended, 'client-left')
  assert.equal(record.finished, false)
  assert.equal(record.deltasWritten, 2)
})

test('a client that closes its side in good order is seen to leave too', async (t) => {
  const upstream = await start(t)
  upstream.play({ fault: { kind: 'hang', at: 'before-head' } })
  const clientRequest = sendChat(upstream.url, {})
  const record = await upstream.request(0)
  clientRequest.socket?.end()
  await record.aborted
  assert.equal(await record.ended, 'client-left')
})

test('pace is kept by the clock that was passed in', async (t) => {
  const sleeps: number[] = []
  const clock = { now: () => 0, sleep: async (durationMs: number) => void sleeps.push(durationMs) }
  const upstream = await start(t, { clock })
  upstream.play({ content: 'a b', pace: { beforeHeadMs: 500, beforeDeltaMs: 20 } })
  assert.equal((await ask(upstream.url, { stream: true })).failure, undefined)
  assert.deepEqual(sleeps, [500, 20, 20])

  sleeps.length = 0
  upstream.play({ content: 'a b', pace: { beforeByteMs: 3 } })
  const { chunks, text } = await ask(upstream.url, { stream: true })
  assert.ok(chunks.every((chunk) => chunk.length === 1))
  assert.deepEqual(
    sleeps,
    Array.from({ length: text.length }, () => 3),
  )
})

test('a reply at its own pace by the system clock comes whole', async (t) => {
  const upstream = await start(t)
  upstream.play({ content: 'a b', pace: { beforeHeadMs: 1, beforeDeltaMs: 1 } })
  const { text } = await ask(upstream.url, { stream: true })
  assert.deepEqual(readDeltas(text, 'content'), ['a ', 'b'])
})

test('closing ends a reply that hangs', async () => {
  const upstream = await startFakeUpstream()
  upstream.play({ fault: { kind: 'hang', at: 'after-head' } })
  const { response } = await openReply(upstream.url, {})
  const body = readBody(response)
  await upstream.close()
  assert.equal((await body).failure, 'ECONNRESET')
  assert.equal(await upstream.requests[0]!.ended, 'broken-off')
})

test('closing throws where a script named a point that its reply never came to', async () => {
  const upstream = await startFakeUpstream()
  upstream.play({ content: 'a b', fault: { kind: 'end', at: 'after-delta-9' } })
  await ask(upstream.url, { stream: true })
  upstream.play({ content: 'a b', fault: { kind: 'malformed-event', at: 'after-delta-8' } })
  await ask(upstream.url, { stream: true })
  await assert.rejects(upstream.close(), ({ errors }) => {
    assert.match(errors[0].message, /after-delta-9/)
    assert.match(errors[1].message, /after-delta-8/)
    return true
  })
})

test('closing throws what a script threw', async () => {
  const upstream = await startFakeUpstream()
  upstream.play(() => assert.fail('unexpected request'))
  const clientRequest = sendChat(upstream.url, {})
  assert.equal(await readFailure(clientRequest), 'ECONNRESET')
  await assert.rejects(upstream.close(), ({ errors }) => errors[0].message === 'unexpected request')
})
