import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { LOCALE_HEADER } from '#identity/index.ts'
import { TABLES } from '../../../src/tables.ts'
import { operate } from '../../support/call.ts'
import {
  lastToken,
  newAddress,
  post,
  readReply,
  servePeople,
  signedIn,
  trySignIn,
} from '../../support/identity/people.ts'
import { readCode } from '../../support/identity/totp.ts'
import { createVisitor, PASSWORD } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })

/** Every value of every table, as text. */
async function readStore(): Promise<string> {
  const tables = await Promise.all(
    Object.keys(TABLES).map((table) =>
      sql`select * from ${sql.table(table)}`.execute(service.store.db),
    ),
  )
  return JSON.stringify(tables.map(({ rows }) => rows))
}

test('passwords, tokens, links and codes are neither logged nor to be read in the store', async () => {
  const secrets: string[] = []
  const visitor = await signedIn(service)
  const { email } = visitor
  secrets.push(PASSWORD, lastToken(service, email))
  for (const { value } of visitor.cookies.values()) secrets.push(value, decodeURIComponent(value))
  await trySignIn(service, email, 'a wrong one that is remembered')
  secrets.push('a wrong one that is remembered')
  const enabled = await post(visitor, '/two-factor/enable', { password: PASSWORD })
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] }
  await post(visitor, '/two-factor/verify-totp', { code: readCode(totpURI, Date.now()) })
  secrets.push(new URL(totpURI).searchParams.get('secret') ?? '', ...backupCodes)
  const waiting = createVisitor(service)
  await post(waiting, '/sign-in/email', { email, password: PASSWORD })
  for (const { value } of waiting.cookies.values()) secrets.push(value)
  await post(visitor, '/change-email', { newEmail: newAddress('new') })
  secrets.push(lastToken(service, email))
  await post(createVisitor(service), '/request-password-reset', { email })
  secrets.push(lastToken(service, email))
  await post(createVisitor(service), '/reset-password', {
    token: lastToken(service, email),
    newPassword: 'the new one of the person',
  })
  secrets.push('the new one of the person')
  const { json: known } = await operate(service, 'GET', `/people?email=${email}`)
  const path = `/people/${known.data[0].id}/sign-in-links`
  for (const follow of [true, false]) {
    const { url } = (await operate(service, 'POST', path, {})).json
    for (const method of follow ? ['GET', 'POST'] : ['GET']) {
      assert.ok((await createVisitor(service).fetch(url, { method })).status < 400)
    }
    secrets.push(url.split('/').at(-1) ?? '')
  }
  const store = await readStore()
  const logged = service.logged.join('\n')
  for (const secret of secrets) {
    assert.ok(secret.length > 5)
    assert.ok(!store.includes(secret), `in the store: ${secret}`)
    assert.ok(!logged.includes(secret), `in the log: ${secret}`)
  }
  assert.ok(store.includes(email))
})

test('no address is logged, whatever fails', async () => {
  const email = newAddress('canary')
  const visitor = await signedIn(service, email)
  const bodies: readonly [string, unknown][] = [
    ['/sign-up/email', { email, password: PASSWORD, name: email }],
    ['/sign-in/email', { email, password: 'not the password', callbackURL: `//${email}` }],
    ['/sign-in/email', { email: [email], password: { email } }],
    ['/request-password-reset', { email, redirectTo: `https://${email}` }],
    ['/change-email', { newEmail: email }],
    ['/reset-password', { token: email, newPassword: PASSWORD }],
    ['/two-factor/verify-totp', { code: email }],
    ['/two-factor/verify-totp', { code: { email } }],
    ['/two-factor/verify-backup-code', { code: email }],
    ['/passkey/verify-authentication', { response: { id: email } }],
    ['/passkey/verify-registration', { response: { id: email, response: { x: email } } }],
    ['/passkey/delete-passkey', { id: email }],
    ['/update-user', { name: { email } }],
    ['/change-password', { currentPassword: { email }, newPassword: [email] }],
  ]
  for (const [path, body] of bodies) {
    const { status } = await post(visitor, path, body)
    assert.ok(status < 500, `${path} ${status}`)
  }
  const url = `/api/auth/verify-email?token=${email}&callbackURL=//${email}`
  await readReply(await visitor.fetch(url, { headers: { [LOCALE_HEADER]: email } }))
  assert.doesNotMatch(service.logged.join('\n'), /canary/)
})
