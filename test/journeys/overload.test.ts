import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../support/assert-refused.ts'
import { chat, hello, openAccount, operate } from '../support/call.ts'
import { serveWithUpstream } from '../support/service.ts'

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
