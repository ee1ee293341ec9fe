import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hello } from '../support/call.ts'
import { openConsolePerson, type ConsolePerson } from '../support/console-person.ts'
import { servePeople } from '../support/identity/people.ts'
import { startPostgres } from '../support/postgres/index.ts'
import { openStream } from '../support/standing-stream.ts'

const postgres = await startPostgres()
const databaseUrl = await postgres.createDatabase()
const here = await servePeople({ after }, { databaseUrl, watchBounds: { lookEveryMs: 25 } })
// One issuer, as replicas behind one address have it.
const { issuer } = here.app.identity
const there = await servePeople(
  { after },
  { databaseUrl, issuer, watchBounds: { lookEveryMs: 25 } },
)
after(() => postgres.close())

/** The same person, at the other replica. */
function atTheOther(person: ConsolePerson): ConsolePerson {
  return { ...person, service: there }
}

async function play({ service, session, accountId }: ConsolePerson): Promise<number> {
  const path = `/console/api/accounts/${accountId}/chat/air`
  const response = await fetch(service.origin + path, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({ ...hello, max_tokens: 16 }),
  })
  await response.text()
  return response.status
}

test('what one replica changes, the pages of another are told', async () => {
  const person = await openConsolePerson(here)
  const stream = await openStream(atTheOther(person), person.accountId)
  assert.equal((await stream.next()).standing.last_request, null)
  await person.own('PATCH', '', { daily_ceiling_eur: '0.70' })
  assert.equal((await stream.next()).standing.ceiling.eur, '0.70')
  await person.own('POST', '/chat/air', { ...hello, max_tokens: 16 })
  const told: (string | undefined)[] = []
  // The key that it makes is told of, and the request itself: together, or one after the other.
  while (told.at(-1) === undefined) told.push((await stream.next()).standing.last_request?.brand)
  assert.equal(told.at(-1), 'air')
  stream.close()
})

test('an account has one console key, whichever replicas its first calls come to', async () => {
  const person = await openConsolePerson(here)
  const statuses = await Promise.all(
    Array.from({ length: 8 }, (_, place) => play(place % 2 ? person : atTheOther(person))),
  )
  assert.deepEqual(new Set(statuses), new Set([200]))
  const { data } = (await person.own('GET', '/keys')).json
  assert.deepEqual(
    data.map(({ kind }) => kind),
    ['console'],
  )
  const usage = (await person.own('GET', '/usage')).json
  assert.equal(usage.totals.requests, 8)
  // Revoked here, it is over there at once.
  assert.equal((await person.own('DELETE', `/keys/${data[0].id}`)).status, 204)
  assert.equal(await play(atTheOther(person)), 200)
  const kinds = (await person.own('GET', '/keys')).json.data.map((key) => key.revoked_at === null)
  assert.deepEqual(kinds, [true, false])
})
