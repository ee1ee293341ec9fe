import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { SELF_SIGNED } from '../../../test/support/self-signed.ts'
import { startSmtpServer } from '../../../test/support/smtp-server.ts'
import type { Log } from '../log.ts'
import { describeTransport } from './describe-transport.ts'
import type { Mail } from './mailer.ts'
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts'

const FROM = 'Parley <no-reply@parley.test>'
const MAIL: Mail = {
  to: 'ana@example.com',
  subject: 'Olá, é você?',
  text: 'A line.\n.\nAnother é.',
  html: '<p>A line.</p>',
}

function createMailer(port: number, options: Partial<SmtpMailerOptions> = {}) {
  const logged: string[] = []
  const write = (fields: object, sentence: string): void => {
    logged.push(JSON.stringify({ sentence, ...fields }))
  }
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const url = `smtp://127.0.0.1:${port}`
  return { mailer: createSmtpMailer({ url, from: FROM, log, ...options }), logged }
}

test('a mail arrives as text and as a page, from whom it is said to be', async (t) => {
  const server = await startSmtpServer(t)
  const { mailer, logged } = createMailer(server.port)
  mailer.send(MAIL)
  await mailer.idle()
  const [mail] = server.received
  assert.deepEqual([mail?.from, mail?.to], ['no-reply@parley.test', 'ana@example.com'])
  assert.match(mail?.data ?? '', /^From: Parley <no-reply@parley\.test>$/m)
  assert.match(mail?.data ?? '', /^Subject: =\?UTF-8\?/m)
  assert.match(mail?.data ?? '', /multipart\/alternative/)
  assert.match(mail?.data ?? '', /A line\.\n\.\nAnother =C3=A9\./)
  assert.doesNotMatch(logged.join('\n'), /ana@/)
})

test('a mail that is not taken yet is tried again, and one refused for good is not', async (t) => {
  const answers = ['451 come back later', '421 too busy', '250 taken', '550 no <ana@example.com>']
  const server = await startSmtpServer(t, { answers })
  const { mailer, logged } = createMailer(server.port, { waitsMs: [1, 2, 3] })
  mailer.send(MAIL)
  await mailer.idle()
  assert.deepEqual([server.received.length, server.connections()], [1, 3])
  mailer.send(MAIL)
  await mailer.idle()
  assert.deepEqual([server.received.length, server.connections()], [1, 4])
  assert.match(logged.at(-1) ?? '', /mail given up.*"smtp_status":550/)
  assert.doesNotMatch(logged.join('\n'), /ana@/)
})

test('who asks hears that a mail was given up, where another try might succeed', async (t) => {
  const server = await startSmtpServer(t, { answers: ['451 later', '550 never', '250 taken'] })
  const { mailer } = createMailer(server.port, { waitsMs: [], maxWaiting: 1 })
  let heard = 0
  const send = async (): Promise<number> => {
    mailer.send(MAIL, () => (heard += 1))
    await mailer.idle()
    return heard
  }
  assert.deepEqual([await send(), await send(), await send()], [1, 1, 1])
  // Four go out at once, one waits, and one is too many.
  for (let count = 0; count < 6; count += 1) mailer.send(MAIL, () => (heard += 1))
  assert.equal(heard, 2)
  await mailer.idle()
})

test('a mail is given up after its last try, where nobody listens or nobody answers', async (t) => {
  const closed = await startSmtpServer(t)
  await closed.close()
  const silent = await startSmtpServer(t, { silent: true })
  for (const { port } of [closed, silent]) {
    const { mailer, logged } = createMailer(port, { waitsMs: [1], attemptTimeoutMs: 100 })
    mailer.send(MAIL)
    await mailer.idle()
    assert.equal(logged.filter((line) => line.includes('mail not sent yet')).length, 1)
    assert.equal(logged.filter((line) => line.includes('mail given up')).length, 1)
  }
})

test('an end that is waited for does not wait between tries', async (t) => {
  const server = await startSmtpServer(t, { answers: ['451 later', '451 later', '451 later'] })
  const { mailer } = createMailer(server.port, { waitsMs: [3_600_000, 3_600_000, 3_600_000] })
  mailer.send(MAIL)
  await mailer.idle()
  assert.equal(server.received.length, 1)
})

test('what is beyond the queue is refused beforehand, or given up and said so', async (t) => {
  const server = await startSmtpServer(t)
  const { mailer, logged } = createMailer(server.port, { maxWaiting: 2 })
  assert.equal(mailer.available, true)
  // Four go out at once, two wait.
  for (let count = 0; count < 8; count += 1) mailer.send(MAIL)
  assert.equal(mailer.available, false)
  await mailer.idle()
  assert.equal(server.received.length, 6)
  assert.equal(logged.filter((line) => line.includes('too many are waiting')).length, 2)
  assert.equal(mailer.available, true)
})

test('mail goes in the clear on this machine alone, or where that is asked for', () => {
  const demands = (url: string) => describeTransport(url).requireTLS
  assert.equal(demands('smtp://mail.example.com'), true)
  assert.equal(demands('smtp://user:password@10.0.0.5:587'), true)
  assert.equal(demands('smtp://localhost:1025'), false)
  assert.equal(demands('smtp://relay:25?ignoreTLS=true'), false)
  // TLS from the first byte needs no going over to it.
  assert.equal(demands('smtps://mail.example.com'), false)
  assert.equal(describeTransport('smtps://mail.example.com').tls.rejectUnauthorized, true)
})

test('a server whose certificate nobody vouches for gets no mail', async (t) => {
  const said: string[] = []
  const server = createServer(SELF_SIGNED, (socket) => {
    socket.on('error', () => {}).on('data', (data) => said.push(data.toString()))
    socket.write('220 mail.test\r\n')
  })
  server.on('tlsClientError', () => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const url = `smtps://localhost:${port}`
  const { mailer, logged } = createMailer(port, { url, waitsMs: [] })
  mailer.send(MAIL)
  await mailer.idle()
  assert.deepEqual(said, [])
  assert.match(logged.at(-1) ?? '', /mail given up/)
})
