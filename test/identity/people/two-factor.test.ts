import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { withTables } from '#platform/store/index.ts'
import type { IdentityTables } from '../../../src/identity/tables.ts'
import {
  codeOf,
  mailsTo,
  post,
  resetPassword,
  servePeople,
  signedIn,
  whoIs,
  type Reply,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD, type Visitor } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })
const db = withTables<IdentityTables>(service.store.db)

/** Somebody who is signed in, and needs a code from now on. */
async function withTwoFactor() {
  const visitor = await signedIn(service)
  const { body } = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const { totpURI, backupCodes } = body as { totpURI: string; backupCodes: string[] }
  const { status } = await post(visitor, '/two-factor/verify-totp', {
    code: readCode(totpURI, Date.now()),
  })
  assert.equal(status, 200)
  await forgetSteps()
  return { visitor, email: visitor.email, totpURI, backupCodes }
}

/** As if the half minute of the last code were long over. */
async function forgetSteps(): Promise<void> {
  await db.updateTable('two_factor').set({ last_step: null }).execute()
}

/** A browser in which the password has been shown, and the code has not. */
async function begin(email: string, password = PASSWORD): Promise<Visitor> {
  const visitor = createVisitor(service)
  const { status, body } = await post(visitor, '/sign-in/email', { email, password })
  assert.deepEqual(
    [status, (body as { twoFactorRedirect?: boolean }).twoFactorRedirect],
    [200, true],
  )
  assert.equal(await whoIs(visitor), undefined)
  return visitor
}

const useCode = (visitor: Visitor, code: string, more: object = {}): Promise<Reply> =>
  post(visitor, '/two-factor/verify-totp', { code, ...more })

test('signing in takes a code as well, once it is switched on, and none once it is off', async () => {
  const { visitor, email, totpURI } = await withTwoFactor()
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /switched on/)
  const other = await begin(email)
  const wrong = await useCode(other, '000000')
  assert.deepEqual([wrong.status, codeOf(wrong)], [401, 'INVALID_CODE'])
  assert.equal((await useCode(other, readCode(totpURI, Date.now()))).status, 200)
  assert.equal(await whoIs(other), email)
  // No mail for each sign-in.
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /switched on/)
  const off = await post(visitor, '/two-factor/disable', { password: PASSWORD })
  assert.equal(off.status, 200)
  assert.match(mailsTo(service, email).at(-1)?.subject ?? '', /switched off/)
  const third = createVisitor(service)
  await third.signIn(email)
  assert.equal(await whoIs(third), email)
})

test('a code is good once, also where it is used twice at once', async () => {
  const { email, totpURI } = await withTwoFactor()
  const code = readCode(totpURI, Date.now())
  const browsers = [await begin(email), await begin(email), await begin(email)]
  const replies = await Promise.all(browsers.map((browser) => useCode(browser, code)))
  assert.deepEqual(replies.map(({ status }) => String(status)).toSorted(), ['200', '401', '401'])
  const late = await useCode(await begin(email), code)
  assert.deepEqual([late.status, codeOf(late)], [401, 'INVALID_CODE'])
  // Nor is one of before it, which would be good for as long as clocks may be wrong.
  const older = await useCode(await begin(email), readCode(totpURI, Date.now() - 30_000))
  assert.equal(older.status, 401)
  await forgetSteps()
  assert.equal((await useCode(await begin(email), readCode(totpURI, Date.now()))).status, 200)
})

test('the code that switched it on does not sign in', async () => {
  const visitor = await signedIn(service)
  const { body } = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const code = readCode((body as { totpURI: string }).totpURI, Date.now())
  assert.equal((await useCode(visitor, code)).status, 200)
  assert.equal((await useCode(await begin(visitor.email), code)).status, 401)
})

test('a recovery code is good once, also where it is used twice at once', async () => {
  const { email, backupCodes } = await withTwoFactor()
  const [code = '', next = ''] = backupCodes
  const browsers = [await begin(email), await begin(email), await begin(email)]
  const use = (browser: Visitor, one: string) =>
    post(browser, '/two-factor/verify-backup-code', { code: one })
  const replies = await Promise.all(browsers.map((browser) => use(browser, code)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.equal((await use(await begin(email), code)).status, 401)
  assert.equal((await use(await begin(email), next)).status, 200)
})

test('guesses at a code are bounded in one sign-in, and over many', async () => {
  const { email, totpURI } = await withTwoFactor()
  const browser = await begin(email)
  const codes = await Promise.all(Array.from({ length: 12 }, () => guessFrom(browser, '000000')))
  for (let count = 0; count < 5; count += 1) codes.push(await guessFrom(browser, '000000'))
  assert.equal(codes.filter((code) => code === 'INVALID_CODE').length, 5)
  // The challenge is spent: not even the right code helps it.
  assert.notEqual(await guessFrom(browser, readCode(totpURI, Date.now())), 'GOOD')
  const seen: (string | undefined)[] = []
  for (let round = 0; round < 12; round += 1) {
    seen.push(await guessFrom(await begin(email), '000000'))
  }
  assert.equal(seen.at(-1), 'ACCOUNT_TEMPORARILY_LOCKED')
  await forgetSteps()
  const code = readCode(totpURI, Date.now())
  assert.equal(await guessFrom(await begin(email), code), 'ACCOUNT_TEMPORARILY_LOCKED')
})

let callers = 0

/** From another address each time: what is tested bounds a person's codes, not who asks. */
async function guessFrom(visitor: Visitor, code: string): Promise<string | undefined> {
  callers += 1
  const response = await visitor.fetch('/api/auth/two-factor/verify-totp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.8.0.${callers}` },
    body: JSON.stringify({ code }),
  })
  return response.status === 200 ? 'GOOD' : ((await response.json()) as { code?: string }).code
}

test('no browser is trusted to leave out the code', async () => {
  const { email, totpURI } = await withTwoFactor()
  const browser = await begin(email)
  const reply = await useCode(browser, readCode(totpURI, Date.now()), { trustDevice: true })
  assert.equal(reply.status, 200)
  assert.deepEqual(
    [...browser.cookies.values()].filter(({ name }) => /trust/.test(name)),
    [],
  )
  await post(browser, '/sign-out', {})
  const { body } = await post(browser, '/sign-in/email', { email, password: PASSWORD })
  assert.equal((body as { twoFactorRedirect?: boolean }).twoFactorRedirect, true)
})

test('a new password ends a sign-in that waits for its code', async () => {
  const { email, totpURI } = await withTwoFactor()
  const attacker = await begin(email)
  assert.equal((await resetPassword(service, email, 'a new password of theirs')).status, 200)
  const late = await useCode(attacker, readCode(totpURI, Date.now()))
  assert.deepEqual([late.status, await whoIs(attacker)], [401, undefined])
  // A link of a mail is no second factor.
  await begin(email, 'a new password of theirs')
})

test('the secret and the recovery codes are not to be read in the store', async () => {
  const { totpURI, backupCodes } = await withTwoFactor()
  const secret = new URL(totpURI).searchParams.get('secret') ?? 'none'
  const rows = JSON.stringify(await db.selectFrom('two_factor').selectAll().execute())
  for (const text of [secret, ...backupCodes]) assert.ok(!rows.includes(text))
})
