import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { assertRefused } from '../../support/assert-refused.ts'
import { call, chat, hello, operate } from '../../support/call.ts'
import { openConsolePerson } from '../../support/console-person.ts'
import { servePeople } from '../../support/identity/people.ts'
import { openStream } from '../../support/standing-stream.ts'

const fast = { lookEveryMs: 25, keepAliveMs: 100, checkSessionEveryMs: 50 }
const service = await servePeople({ after }, { watchBounds: fast })

test('a page is told how things stand, at once and whenever they change', async () => {
  const person = await openConsolePerson(service)
  const { own, accountId } = person
  const stream = await openStream(person, accountId)
  assert.equal(stream.status, 200)
  assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
  const first = await stream.next()
  const { as_of: _asOf, ...standing } = (await own('GET', '/standing')).json
  const { as_of: _first, ...told } = first.standing
  assert.equal(first.event, 'standing')
  assert.deepEqual(told, standing)
  assert.deepEqual(stream.retries, [3_000])
  // Limits, by themselves and by the operator.
  await own('PATCH', '', { daily_ceiling_eur: '0.5' })
  assert.equal((await stream.next()).standing.ceiling.eur, '0.50')
  const path = `/accounts/${accountId}`
  await operate(service, 'PATCH', path, { suspended: true })
  assert.equal((await stream.next()).standing.blocker, 'suspended')
  await operate(service, 'PATCH', path, { suspended: false, min_tier: 3 })
  assert.equal((await stream.next()).standing.account.tier, 3)
  // Keys.
  const { json: key } = await own('POST', '/keys', { name: 'one' })
  assert.equal((await stream.next()).standing.last_request, null)
  await own('PATCH', `/keys/${key.id}`, { daily_ceiling_eur: '0.30' })
  assert.equal((await stream.next()).standing.last_request, null)
  // The last request, and funds with it.
  await chat(service, key.key, 'air', hello)
  const { last_request: last, account } = (await stream.next()).standing
  const [receipt] = (await own('GET', '/requests')).json.data
  assert.equal(last?.request_id, receipt?.request_id)
  assert.equal(account.spent_today_eur, receipt?.cost_eur)
  await operate(service, 'POST', `${path}/credits`, {
    kind: 'deposit',
    amount_eur: '10',
    reference: `paid ${accountId}`,
  })
  assert.equal((await stream.next()).standing.account.deposits_eur, '10.00')
  await own('DELETE', `/keys/${key.id}`)
  await stream.next()
  stream.close()
})

test('where nothing changes there are signs of life alone', async () => {
  const person = await openConsolePerson(service)
  const other = await openConsolePerson(service)
  const stream = await openStream(person, person.accountId)
  await stream.next()
  // Another's account is another's matter.
  await other.own('PATCH', '', { daily_ceiling_eur: '0.5' })
  while (stream.comments.length < 2) await delay(20)
  assert.equal(stream.waiting(), 0)
  assert.match(String(stream.comments[0]), /keep-alive/)
  stream.close()
})

test('every page of an account is told, and one that goes is no trouble to the others', async () => {
  const person = await openConsolePerson(service)
  const streams = await Promise.all([0, 1, 2].map(() => openStream(person, person.accountId)))
  for (const stream of streams) await stream.next()
  streams[1]?.close()
  await person.own('PATCH', '', { daily_ceiling_eur: '7.00' })
  for (const stream of [streams[0], streams[2]]) {
    assert.equal((await stream?.next())?.standing.ceiling.eur, '7.00')
    stream?.close()
  }
})

test('of nine pages of one person the oldest is ended', async () => {
  const person = await openConsolePerson(service)
  const streams = []
  for (let count = 0; count < 9; count += 1) {
    const stream = await openStream(person, person.accountId)
    await stream.next()
    streams.push(stream)
  }
  await streams[0]?.ended
  await person.own('PATCH', '', { daily_ceiling_eur: '3.00' })
  for (const stream of streams.slice(1)) {
    assert.equal((await stream.next()).standing.ceiling.eur, '3.00')
    stream.close()
  }
})

test('a session that ends ends its pages, and tells them why', async () => {
  const [person, other] = [await openConsolePerson(service), await openConsolePerson(service)]
  const stream = await openStream(person, person.accountId)
  const theirs = await openStream(other, other.accountId)
  await stream.next()
  await theirs.next()
  const { json } = await person.ask('GET', '/sessions')
  const session = json.data.find(({ current }) => current)
  await person.ask('DELETE', `/sessions/${session?.id}`)
  assert.equal((await stream.next()).event, 'signed_out')
  await stream.ended
  // Whoever is still signed in goes on.
  await other.own('PATCH', '', { daily_ceiling_eur: '3.00' })
  assert.equal((await theirs.next()).standing.ceiling.eur, '3.00')
  theirs.close()
})

test("nobody watches another's account", async () => {
  const [one, other] = [await openConsolePerson(service), await openConsolePerson(service)]
  const path = `/console/api/accounts/${one.accountId}/events`
  assertRefused(await call(service, 'GET', path, { headers: other.session }), 'not_found')
  assertRefused(await call(service, 'GET', path), 'not_signed_in')
})

test('open pages keep no service from stopping', async (t) => {
  const stopping = await servePeople({ after: (close) => t.after(close) }, { watchBounds: fast })
  const person = await openConsolePerson(stopping)
  const stream = await openStream(person, person.accountId)
  await stream.next()
  const startedMs = performance.now()
  await stopping.app.close(60_000)
  await stream.ended
  assert.ok(performance.now() - startedMs < 5_000)
})

test('a page that hears nothing for long is not taken for one that has gone', async (t) => {
  const bounds = {
    headTimeoutMs: 150,
    requestTimeoutMs: 200,
    idleTimeoutMs: 100,
    stallTimeoutMs: 200,
    checkEveryMs: 20,
  }
  const strict = await servePeople(
    { after: (close) => t.after(close) },
    { watchBounds: { ...fast, keepAliveMs: 60_000 }, bounds },
  )
  const person = await openConsolePerson(strict)
  const stream = await openStream(person, person.accountId)
  await stream.next()
  await delay(1_000)
  await person.own('PATCH', '', { daily_ceiling_eur: '3.00' })
  assert.equal((await stream.next()).standing.ceiling.eur, '3.00')
  stream.close()
})
