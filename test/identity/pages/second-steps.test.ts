import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { createOTP } from '@better-auth/utils/otp'
import { makePerson, PASSWORD, post } from '../../support/browser/people.ts'
import { startApp } from '../../support/browser/start-app.ts'
import { testInBrowser } from '../../support/browser/test-in-browser.ts'
import { serveFor } from '../../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const { issuer } = service.app.identity
const app = await startApp({ after }, service)

const submit = (page: Page): Promise<void> => page.locator('.main-action').click()

async function signIn(page: Page, email: string): Promise<void> {
  await page.fill('#email', email)
  await page.fill('#password', PASSWORD)
  await submit(page)
}

interface SecondFactor {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Turns two-step sign-in on for a new person, and signs them out again. */
async function makeCareful(context: BrowserContext, email: string): Promise<SecondFactor> {
  await makePerson(service, context, email)
  const call = (path: string, data: object) => post(context, issuer, `/api/auth${path}`, data)
  await call('/sign-in/email', { email, password: PASSWORD })
  const { totpURI, backupCodes } = await call('/two-factor/enable', { password: PASSWORD })
  const secret = decodeBase32(new URL(String(totpURI)).searchParams.get('secret') ?? '')
  // A code serves once: this is the last one, so that the next one is left for the sign-in.
  const code = await createOTP(secret).hotp(Math.floor(Date.now() / 30_000) - 1)
  await call('/two-factor/verify-totp', { code })
  await call('/sign-out', {})
  return { secret, recoveryCodes: backupCodes as string[] }
}

function decodeBase32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)))
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts'

  testInBrowser(
    `who has two-step sign-in is asked for a code, and goes on to the app (${how})`,
    { javaScriptEnabled },
    async (page) => {
      const email = javaScriptEnabled ? 'careful@example.com' : 'careful.plain@example.com'
      const { secret } = await makeCareful(page.context(), email)
      await page.goto(app.startUrl())
      await signIn(page, email)
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
      assert.equal(await page.locator(':focus').getAttribute('id'), 'code')
      await page.fill('#code', '000000')
      await submit(page)
      await page.locator('#code-problem').getByText('wrong or too old').waitFor()
      const code = await createOTP(secret).totp()
      await page.fill('#code', `${code.slice(0, 3)} ${code.slice(3)}`)
      await submit(page)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${app.origin}/callback**`)
      assert.equal(await page.textContent('h1'), 'Hello, Ana Lima ("FREE")')
    },
  )
}

testInBrowser('who lost their phone enters with a recovery code, once', {}, async (page) => {
  const email = 'lost@example.com'
  const { recoveryCodes } = await makeCareful(page.context(), email)
  const enter = async (): Promise<void> => {
    await page.goto(`${issuer}/sign-in?next=%2Faccount`)
    await signIn(page, email)
    await page.getByRole('link', { name: 'Use a recovery code instead' }).click()
    await page.fill('#code', ` ${recoveryCodes[0]} `)
    await submit(page)
  }
  await enter()
  await page.waitForURL(`${issuer}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out').waitFor()
  await enter()
  await page.locator('#code-problem').getByText('has been used').waitFor()
})

testInBrowser('a code without a sign-in before it leads back to the sign-in', {}, async (page) => {
  await page.goto(`${issuer}/sign-in/code`)
  await page.fill('#code', '123456')
  await submit(page)
  await page.getByText('This took too long. Sign in again.').waitFor()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.waitForURL(`${issuer}/sign-in`)
})

async function plugInKey(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

/** Else the key, which has no person to wait for, takes at once what is offered in the field. */
const OFFER_NOTHING = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

async function addPasskey(page: Page, email: string): Promise<void> {
  await makePerson(service, page.context(), email)
  await plugInKey(page)
  await page.goto(`${issuer}/sign-in?next=%2Faccount`)
  await signIn(page, email)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('status').getByText('The passkey has been added').waitFor()
}

testInBrowser('a passkey signs in on the way to an app, and is removed', {}, async (page) => {
  await page.addInitScript(OFFER_NOTHING)
  await addPasskey(page, 'keyring@example.com')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out').waitFor()
  await page.goto(app.startUrl())
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(`${app.origin}/callback**`)
  assert.equal(await page.textContent('h1'), 'Hello, Ana Lima ("FREE")')
  await page.goto(`${issuer}/account`)
  await page.getByRole('button', { name: 'Remove the passkey Passkey' }).click()
  await page.getByText('The passkey has been removed').waitFor()
  await page.getByText('You have none yet').waitFor()
})

testInBrowser('a passkey that the browser offers in the field signs in', {}, async (page) => {
  await addPasskey(page, 'offered@example.com')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${issuer}/sign-in**`)
  await page.waitForURL(`${issuer}/console`)
  await page.goto(`${issuer}/account`)
  await page.getByText('offered@example.com').waitFor()
})

testInBrowser(
  'where a passkey does not work, it is said and the password still does',
  {},
  async (page) => {
    const email = 'keyless@example.com'
    await makePerson(service, page.context(), email)
    await plugInKey(page)
    await page.goto(`${issuer}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('status').getByText('sign in with your password').waitFor()
    await signIn(page, email)
    await page.waitForURL(`${issuer}/console`)
  },
)
