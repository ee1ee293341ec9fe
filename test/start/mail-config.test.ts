import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'

const NO_FILE = { PARLEY_CONFIG: '/dev/null' }
const URL_OF_MAIL = 'smtps://user:pass-word@mail.example.com'

test('mail is sent where there is a server, from whom it is set to be', () => {
  const from = 'Parley <no-reply@example.com>'
  const { smtp } = readConfig({ ...NO_FILE, SMTP_URL: URL_OF_MAIL, PARLEY_MAIL_FROM: from })
  assert.deepEqual(smtp, { url: URL_OF_MAIL, from })
  assert.equal(readConfig({ ...NO_FILE, PARLEY_MAIL_FROM: from }).smtp, undefined)
  assert.equal(readConfig({ ...NO_FILE, SMTP_URL: '', PARLEY_MAIL_FROM: from }).smtp, undefined)
})

const senders: readonly [from: string | undefined, usable: boolean][] = [
  ['no-reply@example.com', true],
  ['Parley <no-reply@example.com>', true],
  ['O Serviço de Conversas <no-reply@example.com>', true],
  [undefined, false],
  ['', false],
  ['Parley', false],
  ['Parley <no-reply@example.com', false],
  ['no-reply@example.com>', false],
  ['a@b.c\r\nBcc: d@e.f', false],
  ['a@b.c, d@e.f', false],
]

for (const [from, usable] of senders) {
  test(`mail from ${JSON.stringify(from)} is ${usable ? 'taken' : 'refused'}`, () => {
    const read = () => readConfig({ ...NO_FILE, SMTP_URL: URL_OF_MAIL, PARLEY_MAIL_FROM: from })
    if (usable) {
      assert.equal(read().smtp?.from, from)
      return
    }
    assert.throws(read, (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.problems.join(), /^PARLEY_MAIL_FROM: must be an address/)
      return true
    })
  })
}

test('a mail server of another kind is refused, without its password', () => {
  const env = { ...NO_FILE, PARLEY_MAIL_FROM: 'a@b.c' }
  for (const url of ['https://user:pass-word@mail.example.com', 'mail.example.com', 'smtp:']) {
    assert.throws(
      () => readConfig({ ...env, SMTP_URL: url }),
      (error) => error instanceof ConfigError && !error.message.includes('pass-word'),
      url,
    )
  }
})
