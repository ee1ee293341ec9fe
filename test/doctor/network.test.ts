import assert from 'node:assert/strict'
import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { systemClock } from '#platform/clock.ts'
import { checkAddresses } from '../../src/doctor/checks/check-addresses.ts'
import { checkClock } from '../../src/doctor/checks/check-clock.ts'
import { checkMail } from '../../src/doctor/checks/check-mail.ts'
import { checkOpenid } from '../../src/doctor/checks/check-openid.ts'
import { judgeArrivals } from '../../src/doctor/checks/check-streaming.ts'
import { refusingUrl } from '../support/fake-upstream/index.ts'
import { SELF_SIGNED } from '../support/self-signed.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { makePatient, RUNNING, tell, type PatientOptions } from './patient.ts'

/** This machine, by a name that does not look like it. */
const FAR = '[::ffff:127.0.0.1]'

const DOCUMENT = { info: { version: '0.1.0' }, paths: { '/v1/chat/{brand}': {} } }

async function serve(
  t: TestContext,
  answer: RequestListener,
  kind: 'http' | 'https' = 'http',
): Promise<number> {
  const server = kind === 'http' ? createPlain(answer) : createSecure(SELF_SIGNED, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const answerJson =
  (bodyOf: (path: string) => object): RequestListener =>
  (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(bodyOf(request.url ?? '')))
  }

async function addressesOf(origin: string, options: PatientOptions = {}): Promise<string> {
  const env = { PARLEY_BASE_URL: `${origin}/v1`, ...options.env }
  return tell(await checkAddresses(makePatient({ service: RUNNING, ...options, env })))
}

test('an address that leads to Parley is right, in the clear on this machine alone', async (t) => {
  const port = await serve(
    t,
    answerJson(() => DOCUMENT),
  )
  assert.equal(
    await addressesOf(`http://127.0.0.1:${port}`),
    `ok: http://127.0.0.1:${port} leads to Parley.`,
  )
  const far = await addressesOf(`http://${FAR}:${port}`)
  assert.match(far, /problem: .* is not encrypted: keys, passwords/)
  assert.match(far, /ok: .* leads to Parley/)
})

test("an address of a network of one's own in the clear is a warning", async () => {
  const told = await addressesOf('http://parley.internal:1', { timeoutMs: 2_000 })
  assert.match(told, /^warning: .* is not encrypted/)
  assert.match(told, /warning: .* does not lead to Parley, as seen from this machine/)
})

test('production that only this machine can use is a warning', async () => {
  const options = { config: { production: true } }
  assert.match(await addressesOf(await originOfNobody(), options), /this machine alone, in prod/)
})

async function originOfNobody(): Promise<string> {
  return new URL(await refusingUrl()).origin
}

test('what leads elsewhere is told, and without a service only as news', async (t) => {
  const port = await serve(
    t,
    answerJson(() => ({ hello: 'world' })),
  )
  const origin = `http://${FAR}:${port}`
  assert.match(await addressesOf(origin), /warning: .* does not lead to Parley.*: HTTP 200/)
  const service = { kind: 'absent', origin, reason: 'x' } as const
  assert.match(await addressesOf(origin, { service }), /note: .* does not lead to Parley now/)
})

test('a certificate must be trusted, and have days left', async (t) => {
  const port = await serve(
    t,
    answerJson(() => DOCUMENT),
    'https',
  )
  const origin = `https://localhost:${port}`
  assert.match(
    await addressesOf(origin),
    /problem: .*: its certificate is self-signed \(DEPTH_ZERO/,
  )

  const { cert: ca } = SELF_SIGNED
  const good = await addressesOf(origin, { ca })
  assert.match(good, /ok: The certificate of localhost:\d+ is good until 2126-10-28: \d+ days/)
  assert.match(good, /ok: https:.* leads to Parley/)

  const in2126 = (day: string) => ({ nowMs: () => Date.parse(`2126-${day}`) })
  const late = await addressesOf(origin, { ca, clock: in2126('10-20') })
  assert.match(late, /warning: The certificate .*: 8 days\. → Renew it now/)
  const over = await addressesOf(origin, { ca, clock: in2126('11-20') })
  assert.match(over, /problem: The certificate .*: -\d+ days/)
})

test('an address without TLS, or without anybody, is told as such', async (t) => {
  const port = await serve(
    t,
    answerJson(() => DOCUMENT),
  )
  const told = await addressesOf(`https://localhost:${port}`)
  assert.match(told, /problem: localhost:\d+: TLS fails \(\w+\)/)
  const nobody = await addressesOf((await originOfNobody()).replace('http:', 'https:'))
  assert.match(nobody, /problem: .*: nobody listens there \(ECONNREFUSED\)/)
})

test('apps must find the issuer that is configured, with keys', async (t) => {
  let issuer = ''
  let keys: object[] = [{}, {}]
  const port = await serve(
    t,
    answerJson((path) =>
      path.endsWith('jwks') ? { keys } : { issuer, jwks_uri: `http://127.0.0.1:${port}/jwks` },
    ),
  )
  const origin = `http://127.0.0.1:${port}`
  const look = async (url: string): Promise<string> => {
    const env = { PARLEY_AUTH_URL: url }
    return tell(await checkOpenid(makePatient({ env, service: RUNNING })))
  }
  issuer = origin
  assert.equal(await look(origin), `ok: Apps find the sign-in of ${origin}, with 2 signing keys.`)
  keys = []
  assert.match(await look(origin), /problem: No signing key is told at .*\/jwks/)
  issuer = 'https://other.example'
  assert.match(await look(origin), /problem: Apps are told the issuer https:\/\/other\.example/)
  assert.match(
    await look(await originOfNobody()),
    /problem: Apps find no sign-in at .*ECONNREFUSED/,
  )
  assert.deepEqual(await checkOpenid(makePatient()), [])
})

test('the clock is held against the Date of whoever answers from elsewhere', async (t) => {
  const port = await serve(t, (_request, response) => response.writeHead(404).end())
  const look = async (aheadMs: number): Promise<string> => {
    const clock = { nowMs: () => systemClock.nowMs() + aheadMs }
    const env = { PARLEY_BASE_URL: `http://${FAR}:${port}/v1` }
    return tell(await checkClock(makePatient({ env, clock })))
  }
  assert.match(
    await look(0),
    /ok: The clock agrees with that of .* \(its Date header\) to the second/,
  )
  assert.match(await look(-12_000), /warning: The clock is 1[0-4] s behind that of/)
  assert.match(await look(90_000), /problem: The clock is (8[89]|9[0-2]) s ahead of that of/)
  assert.deepEqual(await checkClock(makePatient()), [])
})

async function mailOf(url: string, options: PatientOptions = {}): Promise<string> {
  const env = { SMTP_URL: url, PARLEY_MAIL_FROM: 'Parley <no-reply@example.com>' }
  return tell(await checkMail(makePatient({ ...options, env })))
}

test('a mail server is connected to, signed in to, and sent nothing', async (t) => {
  const server = await startSmtpServer(t)
  const told = await mailOf(`smtp://127.0.0.1:${server.port}`)
  assert.match(told, /ok: 127\.0\.0\.1:\d+ takes mail from Parley <no-reply@.*without signing in/)
  assert.deepEqual(server.received, [])
  const auth = await startSmtpServer(t, { extensions: ['AUTH PLAIN'], login: 'right' })
  const signedIn = await mailOf(`smtp://me:right@127.0.0.1:${auth.port}`)
  assert.match(signedIn, /ok: .*\(signed in\)/)
})

test('a mail server that is of no use is told apart by why', async (t) => {
  const auth = await startSmtpServer(t, { extensions: ['AUTH PLAIN'], login: 'right' })
  const refused = await mailOf(`smtp://me:very-secret@127.0.0.1:${auth.port}`)
  assert.match(refused, /problem: .* refuses user or password \(535\)/)
  assert.doesNotMatch(refused, /very-secret/)

  const plain = await startSmtpServer(t)
  assert.match(await mailOf(`smtp://${FAR}:${plain.port}`), /problem: .* offers no TLS: no mail/)

  const silent = await startSmtpServer(t, { silent: true })
  const late = await mailOf(`smtp://127.0.0.1:${silent.port}`, { timeoutMs: 200 })
  assert.match(late, /problem: .* cannot be used: no answer within 0\.2 s/)

  const port = await serve(t, () => {}, 'https')
  const untrusted = await mailOf(`smtps://localhost:${port}`)
  assert.match(untrusted, /problem: .* has a certificate that is not trusted/)

  const nobody = new URL(await refusingUrl()).host
  assert.match(
    await mailOf(`smtp://${nobody}`),
    /problem: .* nobody listens there \(ECONNREFUSED\)/,
  )
})

test('no mail server is news, and in production a warning', async () => {
  assert.match(tell(await checkMail(makePatient())), /^note: Mails are written to files/)
  const production = makePatient({ config: { production: true } })
  assert.match(tell(await checkMail(production)), /^warning: SMTP_URL is not set/)
})

test('what a proxy does to streams shows in how they arrive', () => {
  const arrival = { status: 200, encoding: undefined }
  const over = (direct: number, proxied: number, encoding?: string): string =>
    tell(
      judgeArrivals({ ...arrival, spreadMs: direct }, { ...arrival, spreadMs: proxied, encoding }),
    )
  assert.match(over(900, 850), /^ok: Streams come through the proxy/)
  assert.match(over(900, 2), /^problem: The proxy holds streams back: made over 900 ms.* 2 ms/)
  assert.match(over(20, 2), /^note: .*too fast to tell/)
  assert.match(over(900, 850, 'gzip'), /^warning: The proxy compresses streams \(gzip\)/)
})
