import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'
import { within } from '../upstreams/scene.ts'

test('a service at its limit refuses at once, counts the request, and goes on when there is room', async (t) => {
  const release = Promise.withResolvers<void>()
  const { service, upstream } = await serveWithUpstream(
    t,
    { content: 'ok', pauses: [{ at: 'before-head', until: release.promise }] },
    { maxUnderWay: 2 },
  )
  const { accountId, key } = await openAccount(service, { depositEur: '10.00' })
  const underWay = [chat(service, key, 'air', hello), chat(service, key, 'air', hello)]
  await Promise.all([upstream.request(0), upstream.request(1)])

  const refused = await chat(service, key, 'air', hello)
  assertRefused(refused, 'model_unavailable')
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '97')
  assert.equal(upstream.requests.length, 2)

  release.resolve()
  for (const answer of await Promise.all(underWay)) assert.equal(answer.status, 200)
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const { json } = await operate(service, 'GET', `/accounts/${accountId}/receipts`)
  assert.equal(json.data.length, 3)
})

test('an account at its share is refused at once, and the others are served', async (t) => {
  const release = Promise.withResolvers<void>()
  const { service, upstream } = await serveWithUpstream(
    t,
    { content: 'ok', pauses: [{ at: 'before-head', until: release.promise }] },
    { maxUnderWay: 5, maxUnderWayOfOne: 2 },
  )
  const busy = await openAccount(service, { depositEur: '10.00' })
  const other = await openAccount(service, { depositEur: '10.00' })
  const { key: second } = (
    await operate(service, 'POST', `/accounts/${busy.accountId}/keys`, { name: 'second' })
  ).json
  const ask = (key: string, stream = false) => chat(service, key, 'air', { ...hello, stream })
  const underWay = [ask(busy.key, true), ask(second)]
  await Promise.all([upstream.request(0), upstream.request(1)])

  for (const key of [busy.key, second]) {
    const refused = await ask(key)
    const sentence = assertRefused(refused, 'model_unavailable')
    assert.match(sentence, /of this account/)
    assert.match(String(refused.headers.get('x-ratelimit-remaining')), /^9[67]$/)
  }
  assert.equal(upstream.requests.length, 2)
  underWay.push(ask(other.key))
  await upstream.request(2)

  release.resolve()
  for (const answer of await Promise.all(underWay)) assert.equal(answer.status, 200)
  assert.equal((await ask(busy.key)).status, 200)
})

test('places are given back by whatever ends a request, and by what refuses it', async (t) => {
  const { service, upstream } = await serveWithUpstream(
    t,
    { content: 'ok' },
    { maxUnderWayOfOne: 1 },
  )
  const { key } = await openAccount(service, { depositEur: '50.00' })
  const ask = (body: object = {}, brand = 'prime') =>
    chat(service, key, brand, { ...hello, ...body })
  const isFree = async () => {
    upstream.play({ content: 'ok' })
    assert.equal((await ask()).status, 200)
  }
  for (const stream of [false, true]) {
    assert.equal((await ask({ stream })).status, 200)
    await isFree()
    assertRefused(await ask({ stream, messages: [] }), 'invalid_request')
    await isFree()
    assertRefused(await ask({ stream }, 'zoom'), 'unknown_model')
    await isFree()
    upstream.play({ fault: { kind: 'status', status: 500 } })
    assertRefused(await ask({ stream }), 'upstream_error')
    await isFree()
  }
  service.clock.advance(60_000)
  assertRefused(await chat(service, 'svc_live_x', 'air', hello), 'invalid_api_key')
  await isFree()
})

test('two requests that arrive together cannot take the same place', async (t) => {
  const release = Promise.withResolvers<void>()
  const { service, upstream } = await serveWithUpstream(
    t,
    { content: 'ok', pauses: [{ at: 'before-head', until: release.promise }] },
    { maxUnderWayOfOne: 3 },
  )
  const { key } = await openAccount(service, { depositEur: '50.00' })
  const asked = Array.from({ length: 30 }, () => chat(service, key, 'air', hello))
  await Promise.all([0, 1, 2].map((index) => upstream.request(index)))
  let refused = 0
  const allRefused = Promise.withResolvers<void>()
  for (const answer of asked) {
    void answer.then(({ status }) => {
      if (status === 503) refused += 1
      if (refused === 27) allRefused.resolve()
    })
  }
  await within(5_000, allRefused.promise, '27 of 30 are refused while three are under way')
  release.resolve()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 3)
})
