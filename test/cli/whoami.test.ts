import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operate } from '../support/call.ts'
import { refusingUrl } from '../support/fake-upstream/index.ts'
import type { Service } from '../support/service.ts'
import { openSignInWorld, type SignInWorld } from './sign-in-world.ts'

/** Shorter than the command would still send: each whoami refreshes first. */
const SHORT = { lifetimes: { accessToken: 5 } }

test('who is not signed in is told what to do, whether a service runs or not', async (t) => {
  const world = await openSignInWorld(t)
  for (const url of [world.service.origin, await refusingUrl()]) {
    const { code, stdout, stderr } = await world.run(['whoami'], { PARLEY_URL: url })
    assert.deepEqual([code, stdout], [1, ''])
    assert.equal(stderr, `You are not signed in at ${new URL(url).origin}. Run: parley login\n`)
  }
  const logout = await world.run(['logout'])
  assert.deepEqual(logout, {
    code: 0,
    stdout: `You were not signed in at ${world.service.origin}.\n`,
    stderr: '',
  })
})

test('whoami refreshes a token that is over, and keeps what it got instead', async (t) => {
  const world = await openSignInWorld(t, SHORT)
  await world.login()
  const before = world.kept()
  assert.match((await world.run(['whoami'])).stdout, /^email {2}ana@example\.com$/m)
  const after = world.kept()
  assert.notEqual(after.access_token, before.access_token)
  assert.notEqual(after.refresh_token, before.refresh_token)
  assert.equal((await world.run(['whoami'])).code, 0)
  assert.deepEqual(readdirSync(world.directory), ['credentials.json'])
})

test('of many whoami at once each tells who, though a refresh token is good for one use', async (t) => {
  const world = await openSignInWorld(t, SHORT)
  await world.login()
  const ran = await Promise.all([1, 2, 3, 4].map(() => world.run(['whoami'])))
  for (const { code, stderr } of ran) assert.deepEqual([code, stderr], [0, ''])
  assert.equal((await world.run(['whoami'])).code, 0)
})

test('a lock that a killed command left behind is passed by', async (t) => {
  const world = await openSignInWorld(t, SHORT)
  await world.login()
  const lock = join(world.directory, 'credentials.lock')
  writeFileSync(lock, '')
  utimesSync(lock, 0, 0)
  assert.equal((await world.run(['whoami'])).code, 0)
  assert.ok(!existsSync(lock))
})

test('who is signed out by the operator is told to sign in again, and then can', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  assert.equal((await world.run(['whoami'])).code, 0)
  const { json } = await operate(world.service, 'GET', `/people?email=${world.email}`)
  await operate(world.service, 'POST', `/people/${json.data[0].id}/sign-out`)
  const { code, stdout, stderr } = await world.run(['whoami'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, `${world.service.origin} has signed you out. Sign in again: parley login\n`)
  assert.match((await world.run(['whoami'])).stderr, /^You are not signed in/)
  // The browser was signed out too.
  const login = await world.login({ onSignIn: () => world.visitor.signIn(world.email) })
  assert.equal(login.code, 0, login.stderr)
  assert.equal((await world.run(['whoami'])).code, 0)
})

test('logout ends the credentials with the service and forgets them', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  const kept = world.kept()
  const logout = await world.run(['logout'])
  assert.deepEqual(logout, {
    code: 0,
    stdout: `Signed out at ${world.service.origin}.\n`,
    stderr: '',
  })
  assert.deepEqual(readdirSync(world.directory), [])
  await assertEnded(world.service, kept)
  assert.equal((await world.run(['whoami'])).code, 1)
})

test('logout forgets credentials even where the service cannot be told, and says so', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  await world.service.app.server.close()
  const { code, stderr } = await world.run(['logout'])
  assert.equal(code, 1)
  assert.match(stderr, /^This machine has forgotten your credentials, but they were not ended: No /)
  assert.deepEqual(readdirSync(world.directory), [])
})

test('credentials of several services are kept beside each other', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  const other = await openSignInWorld(t)
  const child = world.start(['login', '--no-browser'], { PARLEY_URL: other.service.origin })
  assert.equal((await fetch(await other.browse(child))).status, 200)
  assert.equal(await child.ended, 0)
  assert.equal((await world.run(['logout'])).code, 0)
  assert.equal((await world.run(['whoami'])).code, 1)
  const env = { PARLEY_URL: `${other.service.origin}/v1` }
  assert.equal((await world.run(['whoami'], env)).code, 0)
})

test('a file that holds no credentials is told, and never overwritten', async (t) => {
  const world = await openSignInWorld(t)
  await world.login()
  for (const text of ['', '[]', '{"x":{}}', '{"x":null}', 'no json']) {
    writeFileSync(world.path, text)
    const { code, stderr } = await world.run(['whoami'])
    assert.equal(code, 1)
    assert.match(stderr, /credentials\.json has no credentials in it: delete it/)
  }
  rmSync(world.path)
  assert.match((await world.run(['whoami'])).stderr, /^You are not signed in/)
})

async function assertEnded(service: Service, kept: ReturnType<SignInWorld['kept']>): Promise<void> {
  const userinfo = await fetch(`${service.origin}/api/oidc/userinfo`, {
    headers: { authorization: `Bearer ${kept.access_token}` },
  })
  assert.equal(userinfo.status, 401)
  const refreshed = await fetch(`${service.origin}/api/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'parley-cli',
      refresh_token: kept.refresh_token,
    }),
  })
  const { error } = (await refreshed.json()) as { error: string }
  assert.deepEqual([refreshed.status, error], [400, 'invalid_grant'])
}
