import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  createAuthenticator,
  type Ceremony,
  type CreationOptions,
} from '../../support/identity/authenticator.ts'
import {
  codeOf,
  mailsTo,
  post,
  servePeople,
  signedIn,
  whoIs,
  type Reply,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'
import { findFreePort } from '../../support/child-service.ts'

// An address of figures is no relying party: browsers take localhost alone over plain http.
const port = await findFreePort()
const origin = `http://localhost:${port}`
const service = await servePeople({ after }, { issuer: origin, port })

/** As a page of the issuer does. */
function createBrowser(): Visitor {
  return createVisitor({ ...service, origin })
}

async function withPasskey(ceremony: Ceremony = {}) {
  const browser = await signedIn({ ...service, origin })
  const device = createAuthenticator(origin)
  const options = (await (
    await browser.fetch('/api/auth/passkey/generate-register-options')
  ).json()) as CreationOptions
  const response = device.create(options, ceremony)
  const reply = await post(browser, '/passkey/verify-registration', { response, name: 'my phone' })
  return { browser, device, reply, response, email: browser.email }
}

async function useDevice(
  browser: Visitor,
  device: ReturnType<typeof createAuthenticator>,
  ceremony: Ceremony = {},
): Promise<{ readonly reply: Reply; readonly response: object }> {
  const options = (await (
    await browser.fetch('/api/auth/passkey/generate-authenticate-options')
  ).json()) as { challenge: string }
  const response = device.get(options, ceremony)
  return { reply: await post(browser, '/passkey/verify-authentication', { response }), response }
}

test('a passkey signs in by itself, and its person is told of it', async () => {
  const { device, reply, email } = await withPasskey()
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /passkey was added/)
  const browser = createBrowser()
  const used = await useDevice(browser, device)
  assert.equal(used.reply.status, 200, JSON.stringify(used.reply.body))
  assert.equal(await whoIs(browser), email)
})

test('what a device has answered is good once', async () => {
  const { device } = await withPasskey()
  const { response } = await useDevice(createBrowser(), device)
  const browser = createBrowser()
  await browser.fetch('/api/auth/passkey/generate-authenticate-options')
  const again = await post(browser, '/passkey/verify-authentication', { response })
  assert.deepEqual([again.status, await whoIs(browser)], [400, undefined])
  const without = await post(createBrowser(), '/passkey/verify-authentication', { response })
  assert.equal(without.status, 400)
})

test('a passkey is of use on our pages alone, unlocked, and as long as it is there', async () => {
  const { browser, device, reply } = await withPasskey()
  const foreign = await useDevice(createBrowser(), device, { origin: 'https://evil.example' })
  assert.equal(foreign.reply.status, 400)
  const locked = await useDevice(createBrowser(), device, { isVerified: false })
  assert.deepEqual([locked.reply.status, codeOf(locked.reply)], [401, 'USER_NOT_VERIFIED'])
  const stranger = await useDevice(createBrowser(), createAuthenticator(origin))
  assert.equal(stranger.reply.status, 401)
  const { id } = reply.body as { id: string }
  const other = await signedIn({ ...service, origin })
  assert.equal((await post(other, '/passkey/delete-passkey', { id })).status, 401)
  assert.equal((await post(browser, '/passkey/delete-passkey', { id })).status, 200)
  assert.match(mailsTo(service, browser.email).at(-1)?.subject ?? '', /passkey was removed/)
  assert.equal((await useDevice(createBrowser(), device)).reply.status, 401)
})

test('a passkey that is not unlocked, or made for another page, is not taken up', async () => {
  for (const ceremony of [{ isVerified: false }, { origin: 'https://evil.example' }]) {
    const { reply } = await withPasskey(ceremony)
    assert.ok([400, 401].includes(reply.status), JSON.stringify(reply.body))
  }
  // Nor is one a second time, by whomever.
  const { browser, device, reply } = await withPasskey()
  assert.equal(reply.status, 200)
  for (const again of [browser, await signedIn({ ...service, origin })]) {
    const options = await again.fetch('/api/auth/passkey/generate-register-options')
    const response = device.create((await options.json()) as CreationOptions)
    assert.equal((await post(again, '/passkey/verify-registration', { response })).status, 400)
  }
  // What anybody can send is no failure of ours, and no text for our log.
  assert.doesNotMatch(service.logged.join('\n'), /evil|"level":"error"/)
})

test('who is locked out gets in with a passkey, and it stands for a second factor', async () => {
  const { browser, device, email } = await withPasskey()
  const { body } = await post(browser, '/two-factor/enable', { password: PASSWORD })
  const code = readCode((body as { totpURI: string }).totpURI, Date.now())
  assert.equal((await post(browser, '/two-factor/verify-totp', { code })).status, 200)
  for (let count = 0; count < 6; count += 1) {
    await post(createBrowser(), '/sign-in/email', { email, password: 'not the password' })
  }
  const refused = await post(createBrowser(), '/sign-in/email', { email, password: PASSWORD })
  assert.equal(refused.status, 429)
  const next = createBrowser()
  assert.equal((await useDevice(next, device)).reply.status, 200)
  assert.equal(await whoIs(next), email)
})
