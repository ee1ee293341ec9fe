import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { readEvents } from '../support/call.ts'
import type { RecordedRequest, Reply } from '../support/fake-upstream/index.ts'
import {
  contentOf,
  neverOpens,
  readerOf,
  readRest,
  readUntil,
  sayHello,
  setScene,
  within,
  type Scene,
} from './scene.ts'

const MIB = 1024 * 1024

/** The network takes up to 10 MiB on each of the two ways, whatever we do; we hold far less. */
const MAX_ON_THE_WAY_BYTES = 21 * MIB

/** 40 MiB in few tokens, for the limits to let it through; the pause has it made as it is sent. */
const huge: Reply = {
  deltas: Array<string>(2_560).fill(' '.repeat(16 * 1024)),
  pauses: [{ at: 'before-head', until: Promise.resolve() }],
}
const roomy = { contextWindow: 2_000_000, maxOutputTokens: 990_000 }

/** A client of its own connection, which takes nothing before it is told to. */
async function openPaused(scene: Scene): Promise<IncomingMessage> {
  const request = httpRequest(`${scene.service.origin}/v1/chat/prime`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${scene.key}`, 'content-type': 'application/json' },
  })
  request.end(JSON.stringify({ ...sayHello, stream: true }))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response.pause()
}

/** What the upstream has got rid of once it comes no further. No event tells that nothing happens. */
async function awaitStandstill(record: RecordedRequest): Promise<number> {
  for (let seen = -1; seen !== record.bytesWritten;) {
    seen = record.bytesWritten
    await wait(150)
  }
  return record.bytesWritten
}

test('a client that stops reading stops its upstream, and goes on where it was', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  scene.upstream.play(huge)
  const response = await openPaused(scene)
  const record = await scene.upstream.request(0)
  const stoodAt = await awaitStandstill(record)
  assert.ok(stoodAt < MAX_ON_THE_WAY_BYTES, `${stoodAt} bytes were taken from the upstream`)
  assert.equal(record.finished, false)

  for await (const _chunk of response) {
    if (record.bytesWritten > stoodAt + MIB) break
  }
  assert.ok(record.bytesWritten > stoodAt + MIB, 'the upstream goes on')
  await within(1_000, record.aborted, 'the upstream was not cancelled')
  const [receipt] = await scene.awaitReceipts(1)
  assert.equal(receipt?.ended, 'client_left')
  assert.equal((await scene.account()).held_eur, '0.00')
})

test('a client that pauses gets the whole reply in the end', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy } })
  scene.upstream.play({ ...huge, deltas: huge.deltas?.slice(0, 640) ?? [] })
  const response = await openPaused(scene)
  const record = await scene.upstream.request(0)
  await awaitStandstill(record)
  let spaces = 0
  let tail = ''
  for await (const chunk of response) {
    const text = (chunk as Buffer).toString('latin1')
    spaces += text.length - text.replaceAll(' ', '').length
    tail = (tail + text).slice(-500)
  }
  // Each event has a space of its own behind "data:".
  const events = 1 + 640 + 1 + 1
  assert.equal(spaces, 640 * 16 * 1024 + events)
  assert.match(tail, /"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/)
  assert.equal((await scene.receipts())[0]?.ended, 'completed')
})

test('a slow client is not taken for a silent upstream', async (t) => {
  const scene = await setScene(t, { brands: { prime: roomy }, settings: { idleTimeoutMs: 400 } })
  scene.upstream.play({ ...huge, deltas: huge.deltas?.slice(0, 1_280) ?? [] })
  const response = await openPaused(scene)
  const record = await scene.upstream.request(0)
  // Each standstill is 150 ms long: together they outlast the idle time-out.
  for (let count = 0; count < 4; count += 1) await awaitStandstill(record)
  assert.equal(record.finished, false, 'it stood still for longer than the idle time-out')
  let tail = ''
  for await (const chunk of response) tail = (tail + (chunk as Buffer).toString()).slice(-500)
  assert.match(tail, /"finish_reason":"stop"/)
})

test('while the upstream is silent the client gets its head and signs of life', async (t) => {
  const scene = await setScene(t, { keepAliveMs: 20 })
  const spoken = Promise.withResolvers<void>()
  const goneOn = Promise.withResolvers<void>()
  scene.upstream.play({
    content: 'late but here',
    pauses: [
      { at: 'before-head', until: spoken.promise },
      { at: 'after-delta-1', until: goneOn.promise },
    ],
  })
  const call = scene.open({ stream: true })
  const response = await call.response
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const reader = await readerOf(call)
  let text = await readUntil(reader, ': keep-alive\n\n: keep-alive\n\n')
  assert.match(text, /^data: [^\n]*"delta":\{"role":"assistant"\}/)
  spoken.resolve()
  text += await readUntil(reader, 'late')
  const again = await readUntil(reader, ': keep-alive\n\n')
  goneOn.resolve()
  text += again + (await readRest(reader))
  const events = readEvents(text)
  assert.equal(contentOf(events), 'late but here')
  assert.equal(events.filter(({ choices }) => choices[0].delta.role !== undefined).length, 1)
  assert.equal(events.at(-1).choices[0].finish_reason, 'stop')
  assert.equal((await scene.receipts())[0]?.ended, 'completed')
})

test('a failure after that head ends the stream with an error and costs nothing', async (t) => {
  const scene = await setScene(t, { keepAliveMs: 20, upstreamCount: 2, circuit: neverOpens })
  const before = await scene.account()
  for (const fault of [
    { kind: 'reset', at: 'before-head' },
    { kind: 'status', status: 503 },
    { kind: 'context-overflow' },
  ] as const) {
    const failing = Promise.withResolvers<void>()
    for (const upstream of scene.upstreams) {
      upstream.play({ fault, pauses: [{ at: 'before-head', until: failing.promise }] })
    }
    const reader = await readerOf(scene.open({ stream: true }))
    const begun = await readUntil(reader, ': keep-alive')
    failing.resolve()
    const events = readEvents(begun + (await readRest(reader)))
    assert.equal(events.length, 2)
    const { choices, usage } = events.at(-1)
    assert.equal(choices[0].finish_reason, 'error')
    assert.deepEqual(usage, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
  }
  const { balance_eur: balance, held_eur: held } = await scene.account()
  assert.deepEqual({ balance, held }, { balance: before.balance_eur, held: '0.00' })
})

test('after that head the next upstream of the brand may still answer', async (t) => {
  const scene = await setScene(t, { keepAliveMs: 20, upstreamCount: 2 })
  const failing = Promise.withResolvers<void>()
  scene.upstream.play({
    fault: { kind: 'reset', at: 'before-head' },
    pauses: [{ at: 'before-head', until: failing.promise }],
  })
  const reader = await readerOf(scene.open({ stream: true }))
  const begun = await readUntil(reader, ': keep-alive')
  failing.resolve()
  assert.equal(contentOf(readEvents(begun + (await readRest(reader)))), 'Hello there')
})

test('a client that waits for a whole reply gets no head before it', async (t) => {
  const scene = await setScene(t, { keepAliveMs: 5 })
  const spoken = Promise.withResolvers<void>()
  scene.upstream.play({ content: 'late', pauses: [{ at: 'before-head', until: spoken.promise }] })
  const { response } = scene.open({ stream: false })
  await scene.upstream.request(0)
  await wait(20)
  spoken.resolve()
  assert.match((await response).headers.get('content-type') ?? '', /^application\/json/)
})
