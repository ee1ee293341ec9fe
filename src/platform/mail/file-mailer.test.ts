import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryDirectory } from '../../../test/support/temporary-directory.ts'
import type { Log } from '../log.ts'
import { createFileMailer } from './file-mailer.ts'
import { createNoMailer } from './no-mailer.ts'

function createLines() {
  const lines: string[] = []
  const write = (fields: object, sentence: string): void => {
    lines.push(JSON.stringify({ sentence, ...fields }))
  }
  const log: Log = { debug: write, info: write, warn: write, error: write }
  return { log, lines }
}

const link = 'https://auth.example.com/verify-email?token=abc'
const mail = { to: 'ana@example.com', subject: 'Hello', text: `Go to ${link}`, link }

test('a developer finds a mail where the log says, and its link in the log', async (t) => {
  const directory = join(makeTemporaryDirectory(t), 'mails')
  const { log, lines } = createLines()
  const mailer = createFileMailer({ directory, log })
  assert.equal(mailer.available, true)
  mailer.send(mail)
  await mailer.idle()
  const [file = ''] = readdirSync(directory)
  const path = join(directory, file)
  assert.equal(readFileSync(path, 'utf8'), `To: ana@example.com\nSubject: Hello\n\nGo to ${link}\n`)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(lines, [JSON.stringify({ sentence: 'mail', path, subject: 'Hello', link })])
})

test('without a way to send mail nothing is written, and nobody is told who it was for', async () => {
  const { log, lines } = createLines()
  const mailer = createNoMailer(log)
  assert.equal(mailer.available, false)
  mailer.send(mail)
  await mailer.idle()
  assert.equal(lines.length, 1)
  assert.doesNotMatch(lines.join(''), /ana@|token/)
})
