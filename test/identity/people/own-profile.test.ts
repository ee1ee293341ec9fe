import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAuthenticator, type CreationOptions } from '../../support/identity/authenticator.ts'
import { call } from '../../support/call.ts'
import { findFreePort } from '../../support/child-service.ts'
import { writeSession } from '../../support/identity/credentials.ts'
import {
  codeOf,
  lastToken,
  newAddress,
  post,
  servePeople,
  signedIn,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

// The calls of the console, in the shapes that src/identity/README.md tells its pages.

const port = await findFreePort()
const origin = `http://localhost:${port}`
const service = await servePeople({ after }, { issuer: origin, port })
const signIn = () => signedIn({ ...service, origin })

/** Calls as a page of ours does; what comes back is a success. */
async function succeed(visitor: Visitor, path: string, body: unknown) {
  const reply = await post(visitor, path, body)
  assert.equal(reply.status, 200, `${path}: ${JSON.stringify(reply.body)}`)
  return reply.body as Record<string, unknown>
}

async function assertFails(visitor: Visitor, path: string, body: unknown, told: unknown[]) {
  const reply = await post(visitor, path, body)
  assert.deepEqual([reply.status, codeOf(reply)], told, path)
  assert.equal(typeof (reply.body as { message?: unknown }).message, 'string')
}

test('a name is changed, and is what the console reads next', async () => {
  const visitor = await signIn()
  assert.deepEqual(await succeed(visitor, '/update-user', { name: 'Ana' }), { status: true })
  const headers = writeSession(visitor, { ...service, origin })
  const { json } = await call(service, 'GET', '/console/api/person', { headers })
  assert.deepEqual([json.name, json.has_password], ['Ana', true])
  await assertFails(visitor, '/update-user', { name: ' ' }, [400, 'INVALID_NAME'])
  const nobody = createVisitor({ ...service, origin })
  await assertFails(nobody, '/update-user', { name: 'Ana' }, [401, 'UNAUTHORIZED'])
})

test('a password is changed with the old one, and the session is another one then', async () => {
  const visitor = await signIn()
  const newPassword = 'another password altogether'
  const path = '/change-password'
  const wrong = { currentPassword: 'not the password', newPassword }
  await assertFails(visitor, path, wrong, [400, 'INVALID_PASSWORD'])
  const short = { currentPassword: PASSWORD, newPassword: 'short' }
  await assertFails(visitor, path, short, [400, 'PASSWORD_TOO_SHORT'])
  const { cookie } = writeSession(visitor, service)
  const body = await succeed(visitor, path, { currentPassword: PASSWORD, newPassword })
  assert.deepEqual(Object.keys(body).toSorted(), ['token', 'user'])
  assert.notEqual(writeSession(visitor, service)['cookie'], cookie)
})

test('an address is changed by two links, and the call tells nothing of the new one', async () => {
  const [visitor, other] = [await signIn(), await signIn()]
  const newEmail = newAddress('next')
  for (const asked of [newEmail, other.email]) {
    assert.deepEqual(await succeed(visitor, '/change-email', { newEmail: asked }), { status: true })
  }
  await assertFails(visitor, '/change-email', { newEmail: 'nobody' }, [400, 'VALIDATION_ERROR'])
  for (const email of [visitor.email, newEmail]) {
    const token = lastToken(service, email)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    const { status } = await visitor.fetch(`/change-email?token=${token}`, init)
    assert.ok([200, 303].includes(status), `${status}`)
  }
  const headers = writeSession(visitor, { ...service, origin })
  const { json } = await call(service, 'GET', '/console/api/person', { headers })
  assert.equal(json.email, newEmail)
})

test('a second factor is switched on by a code, its recovery codes are made anew, and it is switched off', async () => {
  const visitor = await signIn()
  const [password, wrong] = [PASSWORD, 'not the password']
  for (const path of ['/two-factor/enable', '/two-factor/disable']) {
    await assertFails(visitor, path, { password: wrong }, [400, 'INVALID_PASSWORD'])
  }
  const enabled = await succeed(visitor, '/two-factor/enable', { password })
  const { totpURI, backupCodes } = enabled as { totpURI: string; backupCodes: string[] }
  assert.match(totpURI, /^otpauth:\/\/totp\/Parley:/)
  assert.equal(backupCodes.length, 10)
  await assertFails(visitor, '/two-factor/verify-totp', { code: '000000' }, [401, 'INVALID_CODE'])
  const code = readCode(totpURI, Date.now())
  const on = await succeed(visitor, '/two-factor/verify-totp', { code })
  assert.deepEqual(Object.keys(on).toSorted(), ['token', 'user'])
  const shown = await succeed(visitor, '/two-factor/get-totp-uri', { password })
  assert.deepEqual(shown, { totpURI })
  const anew = await succeed(visitor, '/two-factor/generate-backup-codes', { password })
  assert.deepEqual(Object.keys(anew).toSorted(), ['backupCodes', 'status'])
  assert.deepEqual(await succeed(visitor, '/two-factor/disable', { password }), { status: true })
})

test('a passkey is added, listed, renamed and removed', async () => {
  const visitor = await signIn()
  const device = createAuthenticator(origin)
  const asked = await visitor.fetch('/api/auth/passkey/generate-register-options')
  const response = device.create((await asked.json()) as CreationOptions)
  const registration = { response, name: 'my phone' }
  const { id } = await succeed(visitor, '/passkey/verify-registration', registration)
  const renamed = await succeed(visitor, '/passkey/update-passkey', { id, name: 'old phone' })
  assert.equal((renamed['passkey'] as { name: string }).name, 'old phone')
  const listed = await visitor.fetch('/api/auth/passkey/list-user-passkeys')
  const [passkey] = (await listed.json()) as Record<string, unknown>[]
  assert.deepEqual([passkey?.['id'], passkey?.['name']], [id, 'old phone'])
  assert.ok(Date.parse(String(passkey?.['createdAt'])) > 0)
  assert.deepEqual(await succeed(visitor, '/passkey/delete-passkey', { id }), { status: true })
  await assertFails(visitor, '/passkey/delete-passkey', { id }, [404, 'PASSKEY_NOT_FOUND'])
})
