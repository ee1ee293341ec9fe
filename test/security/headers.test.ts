import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createContract } from '#api/contract/index.ts'
import { createServer } from '../../src/api/http/server.ts'
import { call, chat, hello, openAccount } from '../support/call.ts'
import { serveFor } from '../support/service.ts'
import { exchange } from '../contract/raw-exchange.ts'

const service = await serveFor({ after })
const { key } = await openAccount(service, { min_tier: 3, depositEur: '10' })

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** The server that all surfaces are mounted on, with pages of all sorts. */
function servePages(origin = 'https://parley.test'): FastifyInstance {
  const server = createServer({ log: silent, nowMs: () => 0, origin })
  const page = '<!doctype html><title>A page</title>'
  const types = {
    '/page': 'text/html; charset=utf-8',
    '/loud': 'TEXT/HTML',
    '/xhtml': 'application/xhtml+xml',
    '/text': 'text/plain',
    '/picture': 'image/svg+xml',
  }
  for (const [path, type] of Object.entries(types)) {
    server.get(path, (_request, reply) => reply.type(type).send(page))
  }
  server.get('/missing', (_request, reply) => reply.code(404).type('text/html').send(page))
  server.get('/own', (_request, reply) =>
    reply.header('content-security-policy', "default-src 'none'").type('text/html').send(page),
  )
  return server
}

async function headersOf(path: string, server = servePages()): Promise<Headers> {
  const { headers } = await server.inject(path)
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

for (const path of ['/page', '/loud', '/xhtml', '/missing']) {
  test(`${path} runs only what the service serves, and is put into no other page`, async () => {
    const headers = await headersOf(path)
    const policy = String(headers.get('content-security-policy')).split('; ')
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      assert.ok(policy.includes(rule), rule)
    }
    assert.doesNotMatch(policy.join(), /unsafe|\*|http/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('x-frame-options'), 'DENY')
  })
}

test('a page may set a policy of its own, and keeps the other headers', async () => {
  const headers = await headersOf('/own')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'")
  assert.equal(headers.get('x-frame-options'), 'DENY')
})

test('what is no page is not dressed as one', async () => {
  for (const path of ['/text', '/picture']) {
    const headers = await headersOf(path)
    assert.equal(headers.get('content-security-policy'), null)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('browsers are told to come by https alone where that is how the service is reached', async () => {
  for (const path of ['/page', '/text', '/nothing', '/%zz']) {
    const secure = await headersOf(path)
    assert.equal(secure.get('strict-transport-security'), 'max-age=31536000', path)
    const plain = await headersOf(path, servePages('http://127.0.0.1:8080'))
    assert.equal(plain.get('strict-transport-security'), null, path)
  }
})

test('no reply is taken for what it is not: nosniff is on every one of them', async () => {
  const answers = [
    await chat(service, key, 'air', hello),
    await chat(service, key, 'air', { ...hello, stream: true }),
    await chat(service, key, 'air', { messages: 1 }),
    await chat(service, 'no-key', 'air', hello),
    await chat(service, key, 'none', hello),
    await call(service, 'PUT', '/v1/models'),
    await call(service, 'GET', '/nothing'),
    await call(service, 'GET', '/operator/v1/accounts'),
    ...(await exchange(service, ['GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'], { answers: 1 })),
    ...(await exchange(service, ['this is not HTTP\r\n\r\n'], { answers: 1 })),
    ...(await exchange(service, [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`], { answers: 1 })),
  ]
  assert.equal(answers.length, 11)
  for (const { status, headers } of answers) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', String(status))
    assert.equal(headers.get('content-security-policy'), null)
  }
})

test('a page of the running service has the headers of one, and all else has not', async () => {
  const operations = createContract('svc').operations.filter(({ method }) => method === 'get')
  const paths = ['/docs/versioning', ...operations.map(({ path }) => path)]
  for (const path of paths) {
    const { headers } = await fetch(service.origin + path)
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    assert.equal(headers.get('content-security-policy') !== null, isPage, path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
  }
})
