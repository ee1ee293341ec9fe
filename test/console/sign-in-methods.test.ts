import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../src/identity/tables.ts'
import { assertAccessible } from '../support/browser/assert-accessible.ts'
import { PASSWORD } from '../support/browser/people.ts'
import { testInBrowser } from '../support/browser/test-in-browser.ts'
import { openScreen, signInTo } from '../support/console/open-console.ts'
import { codeOf, mailsTo, post } from '../support/identity/people.ts'
import { readCode } from '../support/identity/totp.ts'
import { createVisitor } from '../support/identity/visitor.ts'
import { serveFor } from '../support/service.ts'

const service = await serveFor({ after }, { identity: 'localhost', trustedProxies: ['127.0.0.1'] })
const db = withTables<IdentityTables>(service.store.db)

async function open(page: Page, email: string): Promise<void> {
  await signInTo(service, page, email)
  await openScreen(service, page, '/console/account', 'Account & security')
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const told = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()

/** The password asked for, in the dialog that is open. */
async function giveCurrentPassword(page: Page, password = PASSWORD): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

/** The secret, as the page shows it for whoever cannot scan. */
async function readShownSecret(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  const shown = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  return `otpauth://totp/Parley?secret=${shown.replaceAll(' ', '')}`
}

async function storeCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Store your recovery codes' })
  await dialog.waitFor()
  const codes = await dialog.getByLabel('Recovery codes').getByRole('listitem').allTextContents()
  assert.equal(codes.length, 10)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'parley-recovery-codes.txt')
  assert.equal(readFileSync(await download.path(), 'utf8'), `${codes.join('\n')}\n`)
  // They are shown once: nothing closes this but that they are stored.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  assert.equal(await dialog.getByRole('button', { name: 'Done' }).isDisabled(), true)
  await dialog.getByLabel('I have stored them').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return codes
}

testInBrowser(
  'a second factor is turned on, gets new codes, and is turned off',
  {},
  async (page) => {
    const email = 'ana@example.com'
    await open(page, email)
    await button(page, 'Turn on').click()
    await giveCurrentPassword(page, 'not the password')
    await page.getByText('The password is wrong.').waitFor()
    await giveCurrentPassword(page)
    const uri = await readShownSecret(page)
    await assertAccessible(page, 'account, with a QR code')
    const code = page.getByLabel('Six-digit code')
    await code.fill('000 000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong or too old.').waitFor()
    await code.fill(readCode(uri, Date.now()).replace(/^.../, '$& '))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Store your recovery codes' }).waitFor()
    await assertAccessible(page, 'account, with recovery codes')
    const [first = ''] = await storeCodes(page)
    await told(page, 'Two-step sign-in is on.')
    assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /switched on/)

    await button(page, 'New recovery codes').click()
    await giveCurrentPassword(page)
    const [renewed = ''] = await storeCodes(page)
    await told(page, 'You have new recovery codes')
    assert.equal(await useRecoveryCode(email, first), 'INVALID_BACKUP_CODE')
    assert.equal(await useRecoveryCode(email, renewed), undefined)

    await button(page, 'Turn off').click()
    await giveCurrentPassword(page)
    await told(page, 'Two-step sign-in is off.')
    await button(page, 'Turn on').waitFor()
  },
)

async function useRecoveryCode(email: string, code: string): Promise<string | undefined> {
  const visitor = createVisitor({ ...service, origin: service.app.identity.issuer })
  await post(visitor, '/sign-in/email', { email, password: PASSWORD })
  return codeOf(await post(visitor, '/two-factor/verify-backup-code', { code }))
}

testInBrowser(
  'guesses at the password are slowed, and it is said for how long',
  {},
  async (page) => {
    await open(page, 'guess@example.com')
    await page.route('**/api/auth/two-factor/enable', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { code: 'TOO_MANY_ATTEMPTS', message: 'Too many attempts.' },
      }),
    )
    await button(page, 'Turn on').click()
    await giveCurrentPassword(page)
    await page.getByRole('alert').getByText('Too often. Try again in 60 s.').waitFor()
    await page.keyboard.press('Escape')
    const focused = 'document.activeElement.textContent'
    assert.equal(await page.evaluate(focused), 'Turn on')
  },
)

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

testInBrowser('passkeys are added, renamed and removed', {}, async (page) => {
  const email = 'rui@example.com'
  await plugInKey(page)
  await open(page, email)
  await page.getByText('You have none yet').waitFor()
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name of the passkey').fill('my laptop')
  await page.keyboard.press('Enter')
  await told(page, 'The passkey is added.')
  await page.getByText('my laptop').waitFor()
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /passkey was added/)
  // The device has one of this account now.
  await button(page, 'Add a passkey').click()
  await page.keyboard.press('Enter')
  await page.getByText('This device has a passkey for your account already.').waitFor()
  await page.keyboard.press('Escape')

  await button(page, 'Rename the passkey my laptop').click()
  await page.getByRole('dialog').getByRole('textbox').fill('x'.repeat(100))
  await page.keyboard.press('Enter')
  await told(page, 'The passkey is renamed.')
  await assertAccessible(page, 'account, with a passkey')
  await button(page, `Remove the passkey ${'x'.repeat(100)}`).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await told(page, 'The passkey is removed.')
  await page.getByText('You have none yet').waitFor()
})

testInBrowser('a passkey that is not made is said to be so', {}, async (page) => {
  await page.addInitScript(
    `navigator.credentials.create = async () => { throw new DOMException('', 'NotAllowedError') }`,
  )
  await open(page, 'eva@example.com')
  await button(page, 'Add a passkey').click()
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('No passkey was made.').waitFor()
})

testInBrowser('a passkey takes a sign-in that is young', {}, async (page) => {
  await plugInKey(page)
  await open(page, 'leo@example.com')
  await db
    .updateTable('session')
    .set({ created_at: Date.now() - 11 * 60_000 })
    .execute()
  await button(page, 'Add a passkey').click()
  await page.keyboard.press('Enter')
  await page.getByText('only shortly after signing in').waitFor()
  await page.getByRole('link', { name: 'Sign in once more' }).click()
  await page.getByText('confirm who you are').waitFor()
})
