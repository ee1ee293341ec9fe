import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MAX_LIVE_KEYS } from '#accounts/index.ts'
import { assertRefused } from '../../support/assert-refused.ts'
import { chat, hello, operate } from '../../support/call.ts'
import { openConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'

const service = await servePeople({ after })

test('a key that a person makes works at once, is listed with its last day, and ends at once', async () => {
  const { own, accountId, personId } = await openConsolePerson(service)
  const { status, json: made } = await own('POST', '/keys', { name: 'laptop' })
  assert.equal(status, 201)
  const { key, ...fields } = made
  const state = { kind: 'secret', spent_today_eur: '0.00', revoked_at: null, last_used_on: null }
  const listed = { ...fields, ...state }
  assert.deepEqual((await own('GET', '/keys')).json.data, [listed])
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const today = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
  const [{ spent_today_eur: spentEur, ...used }] = (await own('GET', '/keys')).json.data
  assert.ok(Number(spentEur) > 0)
  assert.deepEqual({ ...used, spent_today_eur: '0.00' }, { ...listed, last_used_on: today })
  service.clock.advance(86_400_000)
  assert.deepEqual((await own('GET', '/keys')).json.data, [{ ...listed, last_used_on: today }])
  assert.equal((await own('DELETE', `/keys/${made.id}`)).status, 204)
  assertRefused(await chat(service, key, 'air', hello), 'invalid_api_key')
  const [{ revoked_at: revokedAt }] = (await own('GET', '/keys')).json.data
  assert.equal(revokedAt, service.clock.nowMs())
  const { data } = (await operate(service, 'GET', '/audit?limit=2')).json
  assert.deepEqual(
    data.map(({ actor, action, account_id: about }) => [actor, action, about]),
    [
      [personId, 'key.revoked', accountId],
      [personId, 'key.created', accountId],
    ],
  )
})

test('an account has a hundred live keys of its own at most, however many are made at once', async () => {
  const { own, accountId } = await openConsolePerson(service)
  const made = []
  for (let count = 0; count < MAX_LIVE_KEYS - 1; count += 1) {
    made.push((await own('POST', '/keys', { name: `key ${count}` })).json.id)
  }
  const last = await Promise.all(
    Array.from({ length: 4 }, () => own('POST', '/keys', { name: 'last' })),
  )
  assert.deepEqual(
    last.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409, 409],
  )
  const refused = await own('POST', '/keys', { name: 'one more' })
  assertRefused(refused, 'conflict')
  assert.match(refused.json.error.message, /100 keys.*revoke/)
  // The operator's own word is not bound, and a key that is revoked gives its place.
  const path = `/accounts/${accountId}/keys`
  assert.equal((await operate(service, 'POST', path, { name: 'by the operator' })).status, 201)
  await own('DELETE', `/keys/${made[0]}`)
  assertRefused(await own('POST', '/keys', { name: 'one more' }), 'conflict')
  await own('DELETE', `/keys/${made[1]}`)
  assert.equal((await own('POST', '/keys', { name: 'one more' })).status, 201)
})

test('keys come in pages, newest first', async () => {
  const { own } = await openConsolePerson(service)
  for (const name of ['a', 'b', 'c']) await own('POST', '/keys', { name })
  const first = (await own('GET', '/keys?limit=2')).json
  const rest = (await own('GET', `/keys?limit=2&cursor=${first.next_cursor}`)).json
  const names = [...first.data, ...rest.data].map(({ name }) => name)
  assert.deepEqual([names, rest.next_cursor], [['c', 'b', 'a'], null])
})

test('a person limits a key of their own, and it holds for the very next request', async () => {
  const { own, accountId, personId } = await openConsolePerson(service)
  const expiresAt = service.clock.nowMs() + 3_600_000
  const wanted = { name: 'laptop', expires_at: expiresAt, daily_ceiling_eur: '0.5' }
  const { json: made } = await own('POST', '/keys', wanted)
  assert.deepEqual([made.expires_at, made.daily_ceiling_eur], [expiresAt, '0.50'])
  assert.equal((await chat(service, made.key, 'air', hello)).status, 200)
  const path = `/keys/${made.id}`
  const { status, json: changed } = await own('PATCH', path, {
    name: 'desk',
    expires_at: null,
    daily_ceiling_eur: '0',
  })
  assert.deepEqual(
    [status, changed.name, changed.expires_at, changed.daily_ceiling_eur, changed.id],
    [200, 'desk', null, '0.00', made.id],
  )
  assert.equal(changed.last_used_on, new Date(service.clock.nowMs()).toISOString().slice(0, 10))
  assertRefused(await chat(service, made.key, 'air', hello), 'daily_spend_limit_reached')
  await own('PATCH', path, { daily_ceiling_eur: null })
  assert.equal((await chat(service, made.key, 'air', hello)).status, 200)
  const past = await own('PATCH', path, { expires_at: service.clock.nowMs() })
  assert.match(assertRefused(past, 'invalid_request'), /^expires_at: must be in the future$/)
  const { data } = (await operate(service, 'GET', '/audit?limit=1')).json
  assert.deepEqual(
    [data[0].actor, data[0].action, data[0].account_id, data[0].details],
    [personId, 'key.changed', accountId, { key_id: made.id, daily_ceiling_eur: null }],
  )
})

test('a person rolls a key of their own, and another’s is not there', async () => {
  const { own, personId } = await openConsolePerson(service)
  const { json: old } = await own('POST', '/keys', { name: 'laptop', daily_ceiling_eur: '0.5' })
  const { status, json: next } = await own('POST', `/keys/${old.id}/roll`, { overlap_s: 60 })
  assert.deepEqual(
    [status, next.name, next.daily_ceiling_eur, next.expires_at],
    [201, 'laptop', '0.50', null],
  )
  for (const key of [old.key, next.key]) {
    assert.equal((await chat(service, key, 'air', hello)).status, 200)
  }
  service.clock.advance(60_000)
  assertRefused(await chat(service, old.key, 'air', hello), 'invalid_api_key')
  assert.equal((await chat(service, next.key, 'air', hello)).status, 200)
  assertRefused(await own('POST', `/keys/${old.id}/roll`, {}), 'conflict')
  const { data } = (await operate(service, 'GET', '/audit?limit=1')).json
  assert.deepEqual([data[0].actor, data[0].action], [personId, 'key.rolled'])
  const other = await openConsolePerson(service)
  for (const [method, path] of [
    ['PATCH', `/keys/${next.id}`],
    ['POST', `/keys/${next.id}/roll`],
  ] as const) {
    assertRefused(await other.own(method, path, {}), 'not_found')
  }
})

test('rolling makes no more live keys than an account may have; one that expired gives its place', async () => {
  const { own } = await openConsolePerson(service)
  const expiresAt = service.clock.nowMs() + 60_000
  const { json: short } = await own('POST', '/keys', { name: 'short', expires_at: expiresAt })
  const made = []
  for (let count = 1; count < MAX_LIVE_KEYS; count += 1) {
    made.push((await own('POST', '/keys', { name: `key ${count}` })).json.id)
  }
  const full = await own('POST', `/keys/${made[0]}/roll`, {})
  assert.match(assertRefused(full, 'conflict'), /100 keys.*revoke/)
  assert.equal((await own('POST', `/keys/${made[0]}/roll`, { overlap_s: 0 })).status, 201)
  service.clock.advance(60_000)
  assertRefused(await chat(service, short.key, 'air', hello), 'invalid_api_key')
  assert.equal((await own('POST', `/keys/${made[1]}/roll`, {})).status, 201)
  assertRefused(await own('POST', '/keys', { name: 'one more' }), 'conflict')
})

test('the playground’s own key is neither changed nor rolled: nobody holds it', async () => {
  const { own, accountId, personId } = await openConsolePerson(service)
  await service.app.accounts.consoleKeyHash(accountId, personId)
  const [{ id, kind }] = (await own('GET', '/keys')).json.data
  assert.equal(kind, 'console')
  for (const answer of [
    await own('PATCH', `/keys/${id}`, { daily_ceiling_eur: '1' }),
    await own('POST', `/keys/${id}/roll`, {}),
    await operate(service, 'POST', `/accounts/${accountId}/keys/${id}/roll`, {}),
  ]) {
    assert.match(assertRefused(answer, 'conflict'), /playground/)
  }
})
