import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import { call } from '../../support/call.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import {
  newAddress,
  post,
  servePeople,
  signedIn,
  trySignIn,
  whoIs,
} from '../../support/identity/people.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })
const db = withTables<IdentityTables>(service.store.db)

const consoleCall = (visitor: Visitor, method: string, path: string) =>
  call(service, method, `/console/api${path}`, { headers: writeSession(visitor, service) })

interface Item {
  readonly id: string
  readonly current: boolean
  readonly user_agent: string
  readonly browser: string | null
  readonly system: string | null
  readonly address: string
}

async function list(visitor: Visitor): Promise<Item[]> {
  return (await consoleCall(visitor, 'GET', '/sessions')).json.data as unknown as Item[]
}

test('a person sees who they are', async () => {
  const visitor = await signedIn(service)
  const { json, headers } = await consoleCall(visitor, 'GET', '/person')
  const { id, created_at: createdAt, ...person } = json
  assert.deepEqual(person, {
    email: visitor.email,
    name: 'Somebody',
    picture: null,
    plan: 'FREE',
    role: 'customer',
    two_factor: false,
    has_password: true,
  })
  assert.match(id, /^per_/)
  assert.ok(createdAt > 0)
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('a person sees their sessions, without what opens them, and ends one or all others', async () => {
  const visitor = await signedIn(service)
  const others = [createVisitor(service), createVisitor(service), createVisitor(service)]
  for (const other of others) await other.signIn(visitor.email)
  const all = await list(visitor)
  assert.deepEqual([all.length, all.filter(({ current }) => current).length], [4, 1])
  assert.ok(
    all.every(({ user_agent: agent, address }) => agent === 'node' && address.startsWith('10.')),
  )
  assert.ok(all.every(({ browser, system }) => browser === null && system === null))
  const tokens = await db.selectFrom('session').select('token').execute()
  for (const { token } of tokens) assert.ok(!JSON.stringify(all).includes(token))

  const [second, third, fourth] = others as [Visitor, Visitor, Visitor]
  const own = (await list(second)).find(({ current }) => current)?.id
  assert.equal((await consoleCall(visitor, 'DELETE', `/sessions/${own}`)).status, 204)
  assert.equal((await consoleCall(visitor, 'DELETE', `/sessions/${own}`)).status, 404)
  assert.deepEqual([await whoIs(second), await whoIs(third)], [undefined, visitor.email])
  assert.equal((await consoleCall(visitor, 'DELETE', '/sessions')).status, 204)
  assert.deepEqual([await whoIs(third), await whoIs(fourth)], [undefined, undefined])
  assert.equal((await list(visitor)).length, 1)
})

test("a person ends nobody else's session", async () => {
  const [one, other] = [await signedIn(service), await signedIn(service)]
  const [theirs] = await list(other)
  for (const id of [theirs?.id, '%00', '..%2f', '*', '%25']) {
    assert.equal((await consoleCall(one, 'DELETE', `/sessions/${id}`)).status, 404)
  }
  assert.equal((await consoleCall(one, 'DELETE', '/sessions')).status, 204)
  assert.equal(await whoIs(other), other.email)
})

test('a session ends when its person signs out, or when it expires', async () => {
  const visitor = await signedIn(service)
  const kept = writeSession(visitor, service)
  assert.equal((await post(visitor, '/sign-out', {})).status, 200)
  const { status } = await call(service, 'GET', '/console/api/person', { headers: kept })
  assert.equal(status, 401)
  const late = await signedIn(service)
  await db.updateTable('session').set({ expires_at: 1 }).execute()
  assert.equal(await whoIs(late), undefined)
})

test('a session from before signing in is never taken over', async () => {
  const attacker = await signedIn(service)
  const victim = createVisitor(service)
  // The attacker has planted their own cookie, or one of nobody, in the browser of the victim.
  for (const [name, cookie] of attacker.cookies) victim.cookies.set(name, cookie)
  const before = writeSession(victim, service)['cookie']
  const email = newAddress('victim')
  await createVisitor(service).signUp(email)
  await victim.signIn(email)
  assert.notEqual(writeSession(victim, service)['cookie'], before)
  assert.deepEqual([await whoIs(victim), await whoIs(attacker)], [email, attacker.email])
})

test('nobody is signed in as nobody', async () => {
  const response = await fetch(`${service.origin}/api/auth/get-session`)
  assert.deepEqual([response.status, await response.text()], [200, 'null'])
  const forged = { cookie: 'parley.session_token=abc.def' }
  const other = await fetch(`${service.origin}/api/auth/get-session`, { headers: forged })
  assert.equal(await other.text(), 'null')
})

test('no page of others can have a browser sign in, or act', async () => {
  const visitor = await signedIn(service)
  const { cookie = '' } = writeSession(visitor, service)
  const paths = [
    '/sign-in/email',
    '/sign-up/email',
    '/change-password',
    '/sign-out',
    '/update-user',
  ]
  const json = { 'content-type': 'application/json' }
  const refused: readonly Record<string, string>[] = [
    { ...json, cookie, origin: 'https://evil.example' },
    { ...json, cookie, origin: 'null' },
    { ...json, cookie },
    { ...json, cookie, 'sec-fetch-site': 'cross-site' },
    { ...json, cookie, referer: `${service.origin}/sign-in` },
    { ...json, origin: 'https://evil.example' },
    { ...json, origin: `${service.origin}.evil.example` },
  ]
  for (const path of paths) {
    for (const headers of refused) {
      const url = `${service.origin}/api/auth${path}`
      const body = JSON.stringify({ email: visitor.email, password: PASSWORD, name: 'evil' })
      const response = await fetch(url, { method: 'POST', headers, body })
      assert.equal(response.status, 403, `${path} ${JSON.stringify(headers)}`)
      assert.deepEqual(response.headers.getSetCookie(), [])
    }
    const form = new URLSearchParams({ email: visitor.email, password: PASSWORD })
    const sent = await visitor.fetch(`/api/auth${path}`, { method: 'POST', body: form })
    assert.equal(sent.status, 415, path)
  }
  assert.equal(await whoIs(visitor), visitor.email)
})

test('what better-auth can do besides is not there', async () => {
  const visitor = await signedIn(service)
  const [other] = await list(visitor)
  const paths = [
    'GET /list-sessions',
    'POST /revoke-session',
    'POST /revoke-sessions',
    'POST /update-session',
    'POST /delete-user',
    'GET /delete-user/callback?token=x',
    'POST /set-password',
    'POST /verify-password',
    'POST /sign-in/social',
    'POST /link-social',
    'GET /callback/google',
    'GET /list-accounts',
    'POST /unlink-account',
    'GET /account-info',
    'POST /get-access-token',
    'POST /two-factor/send-otp',
    'POST /two-factor/verify-otp',
    'POST /two-factor/view-backup-codes',
    'POST /totp/generate',
    'GET /reset-password/token?callbackURL=/',
    'GET /ok',
    'GET /error?error=x',
    'GET /reference',
    'GET /',
  ]
  for (const path of paths) {
    const [method = '', url] = path.split(' ')
    const body = method === 'POST' ? JSON.stringify({ id: other?.id }) : null
    const response = await visitor.fetch(`/api/auth${url}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 404, path)
  }
})

test('a person changes their name and picture, and nothing else of themselves', async () => {
  const visitor = await signedIn(service)
  const image = 'https://pictures.example/ana.png'
  assert.equal((await post(visitor, '/update-user', { name: 'Ana Ñ', image })).status, 200)
  const bodies = [
    { role: 'operator' },
    { plan: 'ELITE' },
    { email: newAddress() },
    { emailVerified: false },
    { twoFactorEnabled: true },
    { id: 'per_1' },
    { name: 'a\0' },
  ]
  for (const body of bodies) await post(visitor, '/update-user', body)
  const {
    id,
    created_at: createdAt,
    ...person
  } = (await consoleCall(visitor, 'GET', '/person')).json
  assert.match(`${id} ${createdAt}`, /^per_\w+ \d+$/)
  assert.deepEqual(person, {
    email: visitor.email,
    name: 'Ana Ñ',
    picture: image,
    plan: 'FREE',
    role: 'customer',
    two_factor: false,
    has_password: true,
  })
  assert.equal((await trySignIn(service, visitor.email)).status, 200)
})
