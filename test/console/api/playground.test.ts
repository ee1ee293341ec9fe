import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, chat, hello, operate, readEvents, type Answer } from '../../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../../support/console-person.ts'
import { startFakeUpstream } from '../../support/fake-upstream/index.ts'
import { servePeople } from '../../support/identity/people.ts'
import { describeUpstream } from '../../support/service.ts'

const upstream = await startFakeUpstream()
after(() => upstream.close())
upstream.play({ content: 'Hello there!', usage: { promptTokens: 20, completionTokens: 5 } })
const service = await servePeople({ after }, { upstreams: [describeUpstream(upstream)] })

const stream = { ...hello, stream: true }

function play({ own }: ConsolePerson, brand: string, body: unknown): Promise<Answer> {
  return own('POST', `/chat/${brand}`, body)
}

async function keysOf({ own }: ConsolePerson) {
  return (await own('GET', '/keys')).json.data
}

test('a call of the playground is streamed, counted, charged to the last digit and has its receipt', async () => {
  const person = await openConsolePerson(service)
  const reply = await play(person, 'prime', stream)
  assert.equal(reply.status, 200)
  const events = readEvents(reply.text)
  assert.equal(
    events.map(({ choices: [{ delta }] }) => delta.content ?? '').join(''),
    'Hello there!',
  )
  assert.match(String(reply.headers.get('ratelimit')), /"requests";r=9;/)
  const [key, ...others] = await keysOf(person)
  assert.deepEqual([key?.kind, key?.name, others], ['console', 'Playground', []])
  const [receipt, ...rest] = (await person.own('GET', '/requests')).json.data
  assert.deepEqual(rest, [])
  // 20 tokens at 1.80 and 5 at 6.20 € a million.
  assert.deepEqual(
    [receipt?.request_id, receipt?.key_id, receipt?.brand, receipt?.cost_eur],
    [events[0].id.replace('chatcmpl-', 'req_'), key?.id, 'prime', '0.000067'],
  )
  const { json: standing } = await person.own('GET', '/standing')
  assert.equal(standing.account.balance_eur, '0.999933')
  assert.deepEqual(standing.windows.requests, { limit: 10, left: 9 })
  const usage = (await person.own('GET', '/usage')).json
  assert.deepEqual([usage.keys[0]?.name, usage.totals.requests], ['Playground', 1])
})

test('its reply in one piece is what the public route gives', async () => {
  const person = await openConsolePerson(service)
  const { json: key } = await person.own('POST', '/keys', { name: 'one' })
  const { id: _one, ...played } = (await play(person, 'nova', hello)).json
  const { id: _other, ...called } = (await chat(service, key.key, 'nova', hello)).json
  assert.deepEqual(played, called)
})

test('faults are those of the public route, and count', async () => {
  const person = await openConsolePerson(service)
  assertRefused(await play(person, 'prime', { messages: [] }), 'invalid_request')
  assertRefused(await play(person, 'prime', '{'), 'invalid_request')
  assertRefused(await play(person, 'other', hello), 'unknown_model')
  const tools = [{ type: 'function', function: { name: 'a' } }]
  assertRefused(await play(person, 'air', { ...hello, tools }), 'tools_unsupported')
  const { json } = await person.own('GET', '/standing')
  assert.deepEqual(json.windows.requests, { limit: 10, left: 6 })
  for (let count = 4; count < 10; count += 1) await play(person, 'air', hello)
  const refused = await play(person, 'air', hello)
  assertRefused(refused, 'rate_limit_rpm')
  assert.equal(refused.headers.get('retry-after'), '60')
})

test('a suspended account calls nobody, as with a key, and no key is made for it', async () => {
  const person = await openConsolePerson(service)
  const path = `/accounts/${person.accountId}`
  await operate(service, 'PATCH', path, { suspended: true })
  assertRefused(await play(person, 'air', hello), 'invalid_api_key')
  assert.deepEqual(await keysOf(person), [])
  await operate(service, 'PATCH', path, { suspended: false })
  assert.equal((await play(person, 'air', hello)).status, 200)
  await operate(service, 'PATCH', path, { suspended: true })
  assertRefused(await play(person, 'air', hello), 'invalid_api_key')
})

test('an account has one console key, however many calls come first', async () => {
  const person = await openConsolePerson(service)
  // Small ones: a tier's tokens must not stand in the way.
  const small = { ...hello, max_tokens: 16 }
  const replies = await Promise.all(Array.from({ length: 8 }, () => play(person, 'air', small)))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  const keys = await keysOf(person)
  assert.deepEqual(
    keys.map(({ kind, revoked_at: revokedAt }) => [kind, revokedAt]),
    [['console', null]],
  )
  const receipts = (await person.own('GET', '/requests')).json.data
  assert.deepEqual(new Set(receipts.map(({ key_id: keyId }) => keyId)), new Set([keys[0]?.id]))
})

test('a console key that was revoked is over, and the next use makes another', async () => {
  const person = await openConsolePerson(service)
  await play(person, 'air', hello)
  const [first] = await keysOf(person)
  assert.equal((await person.own('DELETE', `/keys/${first?.id}`)).status, 204)
  assert.equal((await play(person, 'air', hello)).status, 200)
  const keys = await keysOf(person)
  assert.deepEqual(
    keys.map(({ kind, revoked_at: revokedAt }) => [kind, revokedAt === null]),
    [
      ['console', true],
      ['console', false],
    ],
  )
  const [latest] = (await person.own('GET', '/requests')).json.data
  assert.equal(latest?.key_id, keys[0]?.id)
})

test("nobody calls by another's session, another's page, or what a list shows of the key", async () => {
  const [one, other] = [await openConsolePerson(service), await openConsolePerson(service)]
  const path = `/console/api/accounts/${one.accountId}/chat/air`
  assertRefused(
    await call(service, 'POST', path, { headers: other.session, body: hello }),
    'not_found',
  )
  const { cookie = '' } = one.session
  const foreign = { cookie, origin: 'https://evil.example' }
  assertRefused(
    await call(service, 'POST', path, { headers: foreign, body: hello }),
    'foreign_origin',
  )
  assertRefused(
    await call(service, 'POST', path, { headers: { cookie }, body: hello }),
    'foreign_origin',
  )
  assertRefused(await call(service, 'POST', path, { body: hello }), 'not_signed_in')
  assert.deepEqual([await keysOf(one), await keysOf(other)], [[], []])
  await play(one, 'air', hello)
  const [key] = await keysOf(one)
  assertRefused(
    await chat(service, `${key?.prefix}${key?.last_four}`, 'air', hello),
    'invalid_api_key',
  )
  const { status } = await call(service, 'POST', path, { key: service.operatorToken, body: hello })
  assert.equal(status, 401)
})

test('what is said in the playground is in no line of the log, nor is the session', async () => {
  const person = await openConsolePerson(service)
  const word = 'canary-of-the-playground'
  const body = { messages: [{ role: 'user', content: word }], max_tokens: 16 }
  assert.equal((await play(person, 'air', body)).status, 200)
  assertRefused(await play(person, 'air', { ...body, stream: word }), 'invalid_request')
  const { cookie = '' } = person.session
  const route = '/console/api/accounts/:account_id/chat/:brand'
  assert.ok(service.logged.some((line) => line.includes(route)))
  for (const secret of [word, 'Hello there!', cookie.split('=').at(-1) ?? '']) {
    assert.ok(!service.logged.some((line) => line.includes(secret)))
  }
})
