import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePeople, signedIn } from '../../support/identity/people.ts'
import { PASSWORD } from '../../support/identity/visitor.ts'

const service = await servePeople({ after })

const PATHS = [
  '/sign-up/email',
  '/sign-in/email',
  '/send-verification-email',
  '/request-password-reset',
  '/reset-password',
  '/change-password',
  '/change-email',
  '/update-user',
  '/passkey/verify-authentication',
  '/passkey/verify-registration',
  '/passkey/update-passkey',
  '/passkey/delete-passkey',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/two-factor/generate-backup-codes',
]

const FIELDS = [
  'email',
  'newEmail',
  'password',
  'currentPassword',
  'newPassword',
  'name',
  'image',
  'token',
  'code',
  'id',
  'response',
  'method',
  'issuer',
]

const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1e300,
  '',
  ' ',
  '\ud800',
  'a@b.co\ud800',
  '%00',
  "'; drop table person; --",
  'x'.repeat(5_000),
  [],
  ['a@b.co'],
  {},
  {
    id: '\ud800',
    rawId: 7,
    response: { clientDataJSON: '', authenticatorData: 'AA' },
    type: 'public-key',
  },
  { __proto__: { polluted: 1 }, toString: 1 },
]

let callers = 0

test('no body that anybody can send is a failure of the service', async () => {
  const visitor = await signedIn(service)
  const good = {
    email: visitor.email,
    password: PASSWORD,
    name: 'Ana',
    code: '123456',
    id: 'row_1',
  }
  for (const path of PATHS) {
    for (const value of VALUES) {
      // All fields odd, and one at a time beside good ones.
      const bodies = FIELDS.map((field) => ({ ...good, [field]: value }))
      bodies.push(Object.fromEntries(FIELDS.map((field) => [field, value])) as typeof good)
      const sample = bodies.filter(
        (_, index) => index % 4 === callers % 4 || index >= FIELDS.length,
      )
      for (const body of sample) {
        callers += 1
        const address = `10.5.${Math.floor(callers / 250)}.${callers % 250}`
        const response = await visitor.fetch(`/api/auth${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify(body),
        })
        const text = await response.text()
        assert.ok(response.status < 500, `${path} ${JSON.stringify(body).slice(0, 200)} ${text}`)
      }
    }
  }
  assert.doesNotMatch(service.logged.join('\n'), /unexpected/)
})
