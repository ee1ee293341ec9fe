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
  const listed = { ...fields, kind: 'secret', revoked_at: null, last_used_on: null }
  assert.deepEqual((await own('GET', '/keys')).json.data, [listed])
  assert.equal((await chat(service, key, 'air', hello)).status, 200)
  const today = new Date(service.clock.nowMs()).toISOString().slice(0, 10)
  assert.deepEqual((await own('GET', '/keys')).json.data, [{ ...listed, last_used_on: today }])
  service.clock.advance(86_400_000)
  assert.equal((await own('GET', '/keys')).json.data[0].last_used_on, today)
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
