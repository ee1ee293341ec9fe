import assert from 'node:assert/strict'
import { after, afterEach, test, type TestContext } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { operate } from '../../support/call.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import { servePeople, signedIn, whoIs } from '../../support/identity/people.ts'
import type { Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })
const db = withTables<IdentityTables>(service.store.db)
const DAY_MS = 86_400_000

afterEach((t) => (t as TestContext).mock.timers.reset())

/** Sessions are timed by the clock of the system. */
function moveTo(t: TestContext, atMs: number): void {
  t.mock.timers.reset()
  t.mock.timers.enable({ apis: ['Date'], now: atMs })
}

async function readExpiry({ email }: { readonly email: string }): Promise<number> {
  const { json } = await operate(service, 'GET', `/people?email=${email}`)
  const row = await db
    .selectFrom('session')
    .select('expires_at')
    .where('user_id', '=', json.data[0].id)
    .executeTakeFirstOrThrow()
  return row.expires_at
}

const readCookies = (response: Response): string[] =>
  response.headers.getSetCookie().filter((cookie) => cookie.startsWith('parley.session_token='))

const PLACES = {
  'a page': '/account',
  'a page that leads on': '/sign-in',
  "the console's API": '/console/api/person',
  "the operator's API": '/operator/v1/people?limit=1',
  'the sign-in API': '/api/auth/get-session',
} as const

/** Somebody whose session opens every place, the operator's too. */
async function signedInOperator(): Promise<Visitor & { readonly email: string }> {
  const visitor = await signedIn(service)
  const { json } = await operate(service, 'GET', `/people?email=${visitor.email}`)
  await operate(service, 'PATCH', `/people/${json.data[0].id}`, { role: 'operator' })
  return visitor
}

for (const [what, path] of Object.entries(PLACES)) {
  test(`${what} sends the cookie of a session that goes on anew, once a day`, async (t) => {
    const visitor = await signedInOperator()
    const startMs = Date.now()
    const { origin: _origin, ...headers } = writeSession(visitor, service)
    const ask = () => fetch(service.origin + path, { headers, redirect: 'manual' })
    moveTo(t, startMs + DAY_MS / 2)
    assert.deepEqual(readCookies(await ask()), [], 'not on the first day')
    moveTo(t, startMs + 2 * DAY_MS)
    const [cookie = '', ...others] = readCookies(await ask())
    assert.ok(cookie.startsWith(String(headers['cookie'])), 'it is the same session')
    assert.match(cookie, /; Max-Age=604800;.*; HttpOnly; SameSite=Lax$/)
    assert.deepEqual(others, [])
    assert.equal(await readExpiry(visitor), startMs + 9 * DAY_MS)
    assert.deepEqual(readCookies(await ask()), [], 'and not twice')
  })
}

test('a session in steady use goes on for weeks, and one that is left alone ends', async (t) => {
  const visitor = await signedIn(service)
  const startMs = Date.now()
  for (let day = 3; day <= 30; day += 3) {
    moveTo(t, startMs + day * DAY_MS)
    const response = await visitor.fetch('/account')
    assert.equal(response.status, 200, `day ${day}`)
    assert.equal(readCookies(response).length, 1)
  }
  moveTo(t, startMs + 38 * DAY_MS)
  assert.equal((await visitor.fetch('/account')).status, 303)
  assert.equal(await whoIs(visitor), undefined)
})

test('whoever cannot pass a cookie on prolongs nothing', async (t) => {
  const visitor = await signedIn(service)
  const expiryMs = await readExpiry(visitor)
  moveTo(t, Date.now() + 2 * DAY_MS)
  const { people } = await service.app.identity.load()
  const session = await people.findSession(writeSession(visitor, service))
  assert.equal(session?.email, visitor.email)
  assert.equal(await readExpiry(visitor), expiryMs)
})
