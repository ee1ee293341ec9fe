import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'

/** What one account may have under way; and the requests of a minute of the highest tier. */
const SHARE = 1_024
const AT_ONCE = 256

test('an account with all the streams that it may have open keeps no other account out', async (t) => {
  const release = Promise.withResolvers<void>()
  const { service, upstream } = await serveWithUpstream(t, { content: 'ok' })
  const greedy = await openAccount(service, { min_tier: 3, depositEur: '1000' })
  const other = await openAccount(service, { depositEur: '10' })
  upstream.play({ content: 'ok', pauses: [{ at: 'after-delta-1', until: release.promise }] })
  const client = new Agent({ connections: SHARE })
  const openStream = () =>
    request(`${service.origin}/v1/chat/air`, {
      dispatcher: client,
      method: 'POST',
      headers: { authorization: `Bearer ${greedy.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...hello, stream: true, max_tokens: 10 }),
    })

  const streams: Awaited<ReturnType<typeof openStream>>[] = []
  while (streams.length < SHARE) {
    service.clock.advance(60_000)
    streams.push(...(await Promise.all(Array.from({ length: AT_ONCE }, openStream))))
  }
  assert.deepEqual([...new Set(streams.map(({ statusCode }) => statusCode))], [200])

  service.clock.advance(60_000)
  assertRefused(await chat(service, greedy.key, 'air', hello), 'model_unavailable')
  upstream.play({ content: 'ok' })
  for (const stream of [false, true]) {
    const answer = chat(service, other.key, 'air', { ...hello, stream })
    const { status, text } = await within(10_000, answer, 'an answer to the other account')
    assert.equal(status, 200, text)
  }

  release.resolve()
  const ends = await Promise.all(streams.map(({ body }) => body.text()))
  assert.equal(ends.filter((text) => text.endsWith('data: [DONE]\n\n')).length, SHARE)
  await client.close()
  assert.equal((await chat(service, greedy.key, 'air', hello)).status, 200)
})
