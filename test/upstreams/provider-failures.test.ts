import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../support/call.ts'
import type { Recording, WireReply } from '../support/fake-provider/index.ts'
import { PROVIDER_KEY, providerKinds, setProviderScene } from './provider-scene.ts'
import { contentOf, neverOpens, readerOf, readUntil, within } from './scene.ts'

const SECRET_WORDS = 'the-cat-sat-on-the-mat'

/** A reply up to its first words. */
function takeBegun({ text }: Recording): Recording['text'] {
  const first = text.findIndex((event) => JSON.stringify(event).includes('Hello'))
  return text.slice(0, first + 1)
}

for (const kind of providerKinds) {
  test(`${kind}: where it fails before its first word, the next upstream answers`, async (t) => {
    const { scene, recorded, providers } = await setProviderScene(t, kind, {
      count: 2,
      circuit: neverOpens,
    })
    const [first, second] = providers
    second?.play({ events: recorded.text })
    const status = (code: number): WireReply => ({
      status: code,
      body: recorded.error(code, SECRET_WORDS),
    })
    const failing: Readonly<Record<string, WireReply>> = {
      'too many requests': status(429),
      'an internal error': status(500),
      unavailable: status(503),
      overloaded: status(529),
      'an error in place of the reply': { events: [recorded.failure] },
      'a reset before anything': { events: [], ending: 'reset' },
      'an end before anything': { events: [] },
    }
    for (const [name, reply] of Object.entries(failing)) {
      first?.play(reply)
      const { json } = await scene.ask()
      assert.equal(json.choices?.[0].message.content, 'Hello there', name)
    }
    const count = Object.keys(failing).length
    assert.equal(first?.requests.length, count, 'each was asked once: nobody else retries')
    assert.equal((await scene.health()).upstreams[0]?.failures, count)
    assert.doesNotMatch(JSON.stringify(scene.service.logged), new RegExp(SECRET_WORDS))
  })

  test(`${kind}: a refusal is 502 and no other is tried; a prompt too long is the caller's 400`, async (t) => {
    const { scene, recorded, providers } = await setProviderScene(t, kind, { count: 2 })
    const [first, second] = providers
    for (const status of [400, 401, 403, 404]) {
      first?.play({ status, body: recorded.error(status, SECRET_WORDS) })
      const { status: told, json, text } = await scene.ask()
      assert.deepEqual([told, json.error.code], [502, 'upstream_error'])
      assert.doesNotMatch(text, new RegExp(`${SECRET_WORDS}|${PROVIDER_KEY}`))
    }
    first?.play({ status: 400, body: recorded.error(400, recorded.overflow) })
    for (const answer of [await scene.ask(), await scene.stream()]) {
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'invalid_request'])
      assert.match(answer.json.error.message, /^messages: .*context window/)
    }
    assert.equal(second?.requests.length, 0)
    const [state] = (await scene.health()).upstreams
    assert.deepEqual([state?.failures, state?.circuit], [0, 'closed'])
    const logged = JSON.stringify(scene.service.logged)
    assert.doesNotMatch(logged, new RegExp(`${SECRET_WORDS}|${PROVIDER_KEY}`))
  })

  test(`${kind}: a 429 with Retry-After is left alone for so long`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    const headers = { 'retry-after': '20' }
    provider.play({ status: 429, headers, body: recorded.error(429, 'slow down') })
    assert.equal((await scene.ask()).status, 502)
    provider.play({ events: recorded.text })
    assert.equal((await scene.ask()).status, 503)
    scene.service.clock.advance(20_000)
    assert.equal((await scene.ask()).status, 200)
    assert.equal(provider.requests.length, 2)
  })

  test(`${kind}: a reply that breaks off ends as an error, and half a body is free`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind, { circuit: neverOpens })
    const begun = takeBegun(recorded)
    const broken: Readonly<Record<string, WireReply>> = {
      'an error event': { events: [...begun, recorded.failure] },
      'an end without a finish': { events: begun },
    }
    for (const [name, reply] of Object.entries(broken)) {
      provider.play(reply)
      const events = readEvents((await scene.stream()).text)
      assert.equal(contentOf(events), 'Hello', name)
      assert.equal(events.at(-1).choices[0].finish_reason, 'error', name)
      const whole = await scene.ask()
      assert.deepEqual([whole.status, whole.json.error.code], [502, 'upstream_error'], name)
      const [free, paid] = await scene.receipts()
      assert.deepEqual([free?.ended, free?.cost_eur], ['upstream_failed', '0.00'])
      assert.deepEqual([paid?.ended, paid?.usage_source], ['upstream_failed', 'counted'])
      assert.ok(Number(paid?.cost_eur) > 0)
    }
    assert.equal((await scene.health()).upstreams[0]?.failures, 4)
    assert.equal((await scene.account()).held_eur, '0.00')
  })

  test(`${kind}: a client that leaves ends the provider's reply at once`, async (t) => {
    const { scene, recorded, provider } = await setProviderScene(t, kind)
    const begun = takeBegun(recorded)
    provider.play({ events: begun, ending: 'silence' })
    const asking = scene.open({ stream: true })
    await readUntil(await readerOf(asking), 'Hello')
    asking.leave()
    const [request] = provider.requests
    assert.ok(request)
    await within(10_000, request.left, 'the provider is told')
    const [receipt] = await scene.awaitReceipts(1)
    assert.deepEqual([receipt?.ended, receipt?.usage_source], ['client_left', 'counted'])
    const { held_eur: held } = await scene.account()
    const [state] = (await scene.health()).upstreams
    assert.deepEqual([held, state?.under_way, state?.failures], ['0.00', 0, 0])
  })

  test(`${kind}: silence is waited for no longer than is set`, async (t) => {
    const settings = { timeoutMs: 300, idleTimeoutMs: 300 }
    const { scene, recorded, provider } = await setProviderScene(t, kind, { settings })
    provider.play({ events: [], ending: 'silence' })
    assert.equal((await scene.ask()).status, 502)
    provider.play({ events: recorded.text.slice(0, -2), ending: 'silence' })
    assert.equal((await scene.ask()).status, 502)
    for (const { left } of provider.requests) await within(10_000, left, 'the provider is told')
    const [state] = (await scene.health()).upstreams
    assert.equal(state?.last_failure?.kind, 'timeout')
    assert.equal(state.failures, 2)
  })
}

test('a redirect is not followed: the key goes nowhere else', async (t) => {
  const { scene, recorded, providers } = await setProviderScene(t, 'anthropic', { count: 2 })
  const [first, second] = providers
  second?.play({ events: recorded.text })
  const location = `${second?.url}/messages`
  first?.play({ status: 307, headers: { location }, body: {} })
  assert.equal((await scene.ask()).status, 200)
  assert.equal((await scene.health()).upstreams[0]?.failures, 1)
  assert.equal(second?.requests.length, 1, 'only the one that it was asked itself')
})
